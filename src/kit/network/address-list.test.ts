import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressList, isAddressOrNetwork, LOOPBACK_AND_PRIVATE } from './address-list.ts';

test('an address is found by itself and by its network, in both notations', () => {
  const includes = addressList(['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', '::1']);
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.200', '::ffff:198.51.100.1', '2001:db8:1::5', '::1'])
    assert.ok(includes(address), address);
  for (const address of ['192.0.2.8', '198.51.101.1', '2001:db9::1', '::2', '', 'localhost', '192.0.2', 'unknown'])
    assert.ok(!includes(address), address);
});

test('a zone does not hide an address', () => {
  assert.ok(addressList(['fe80::/10'])('fe80::1%eth0'));
});

test('an empty list includes nothing', () => {
  assert.ok(!addressList([])('127.0.0.1'));
});

test('loopback and private networks are those, and no public ones', () => {
  const includes = addressList(LOOPBACK_AND_PRIVATE);
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.7.7', 'fd00::1'])
    assert.ok(includes(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '169.254.169.254', '100.64.0.1', '2001:db8::1', 'fe80::1'])
    assert.ok(!includes(address), address);
});

test('a text that is neither an address nor a network is rejected', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fc00::/7', '2001:db8::/128'])
    assert.ok(isAddressOrNetwork(text), text);
  for (const text of ['', 'yes', '10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', 'proxy.example.org', '10.0.0.0/-1'])
    assert.ok(!isAddressOrNetwork(text), text);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerNetwork } from './address-network.ts';

test('IPv4 addresses are distinguished, in both notations', () => {
  assert.equal(customerNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(customerNetwork('::ffff:192.0.2.7'), '192.0.2.7');
});

test('IPv6 addresses of one network are one', () => {
  const one = customerNetwork('2001:db8:1:2:3:4:5:6');
  assert.equal(one, '2001:db8:1:2::/64');
  for (const same of [
    '2001:0DB8:1:2::',
    '2001:db8:1:2::ffff',
    '2001:db8:1:2:ffff::1',
    '2001:db8:1:2:3:4:192.0.2.7',
    '2001:db8:1:2::1%eth0',
  ])
    assert.equal(customerNetwork(same), one, same);
  for (const other of ['2001:db8:1:3::1', '2001:db8::2', '::1', 'fe80::1']) assert.notEqual(customerNetwork(other), one, other);
  assert.equal(customerNetwork('::1'), '0:0:0:0::/64');
});

test('a text that is no address stays as it is', () => {
  for (const text of ['', 'unknown']) assert.equal(customerNetwork(text), text);
});

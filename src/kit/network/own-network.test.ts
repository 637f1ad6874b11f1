import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { isOnOwnNetwork } from './own-network.ts';

const INSIDE = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:168.63.129.16',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '100:0:0:1::1',
  '5f00::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%lo',
  'ff02::1',
  'not an address',
  '',
];
const OUTSIDE = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '93.184.215.14',
  '168.63.129.15',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
];

test('addresses that are not public are on the own network', () => {
  assert.deepEqual(
    INSIDE.filter((address) => !isOnOwnNetwork(address)),
    [],
  );
});

test('public addresses are not on the own network', () => {
  assert.deepEqual(
    OUTSIDE.filter((address) => isOnOwnNetwork(address)),
    [],
  );
});

test('all addresses of this machine are on the own network', () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  assert.deepEqual(
    own.filter(({ address }) => !isOnOwnNetwork(address)),
    [],
  );
});

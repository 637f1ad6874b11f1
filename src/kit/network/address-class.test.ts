import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressClass, classOf } from './address-class.ts';

const ADDRESSES: Readonly<Record<AddressClass, readonly string[]>> = {
  never: [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:42::42',
    'fd00:c1::a9fe:a9fe',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:100.100.100.200',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:6464:64:c800::',
    '2002:a9fe:a9fe::',
    '2001:0:a9fe:a9fe::',
    '2001:0:102:304:0:0:5601:5601',
    '2001:db8::5efe:169.254.169.254',
    'not an address',
    '169.254.169.254.example.org',
    '',
  ],
  loopback: [
    '127.0.0.1',
    '127.255.255.255',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::1%lo',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::FFFF:7f00:1',
    '::ffff:0.0.0.0',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:102:304::80ff:fffe',
  ],
  private: [
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '240.0.0.1',
    'fc00::1',
    'fd00::1',
    'fec0::1',
    '::ffff:10.0.0.1',
    '64:ff9b::8.8.8.8',
  ],
  public: [
    '1.1.1.1',
    '169.253.255.255',
    '169.255.0.0',
    '128.0.0.1',
    '100.63.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '2600:1:2:3::5efe:8.8.8.8',
  ],
};

for (const [name, addresses] of Object.entries(ADDRESSES)) {
  test(`addresses that are ${name}`, () => {
    assert.deepEqual(
      addresses.filter((address) => classOf(address) !== name),
      [],
    );
  });
}

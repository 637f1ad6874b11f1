// A list of IP addresses and networks, and whether an address is in it.
import { BlockList, isIP } from 'node:net';
import { familyOf } from './ip-family.ts';

/** This machine and the networks that the internet does not route. */
export const LOOPBACK_AND_PRIVATE: readonly string[] = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

export type IncludesAddress = (address: string) => boolean;

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && more.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

/** IPv4 addresses are found in their IPv6 form (`::ffff:10.0.0.1`), too. A text that is no address is in no list. */
export function addressList(entries: readonly string[]): IncludesAddress {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => {
    const [plain = ''] = address.split('%');
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

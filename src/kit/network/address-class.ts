// The class of an IP address: this machine, a private network, the public internet, or one that must never be connected to.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { familyOf } from './ip-family.ts';
import { isOnOwnNetwork } from './own-network.ts';

/** `never`: link-local addresses, metadata services of clouds, and multicast and broadcast addresses. */
export type AddressClass = 'never' | 'loopback' | 'private' | 'public';

type Subnet = readonly [network: string, prefix: number];

const NEVER: readonly Subnet[] = [
  ['169.254.0.0', 16],
  ['fe80::', 10],
  // Metadata services of clouds that are not at link-local addresses: Alibaba, Azure, Oracle, Amazon, Google, Scaleway.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['fd00:c1::a9fe:a9fe', 128],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
  // Groups of machines.
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['ff00::', 8],
];
const LOOPBACK: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['::', 128],
  ['::1', 128],
];

const never = listOf(NEVER);
const loopback = listOf(LOOPBACK);

/** Of an IPv6 address that holds an IPv4 address, the stricter of both. A text that is no IP address counts as `never`. */
export function classOf(address: string): AddressClass {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return 'never';
  const all = [plain, ...(isIPv6(plain) ? embeddedIpv4(plain) : [])];
  if (all.some((one) => isIn(never, one))) return 'never';
  if (all.some((one) => isIn(loopback, one))) return 'loopback';
  return all.some(isOnOwnNetwork) ? 'private' : 'public';
}

function listOf(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, familyOf(network));
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

// Which addresses are not on the public internet: those of this machine, of private networks, and of the networks it is on.
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { familyOf } from './ip-family.ts';

/** All networks but the public internet: this machine, private networks, links, groups, examples, and detours through IPv6. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Answers machines of one cloud as their link-local addresses do elsewhere.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, familyOf(network));

/** Whether an IP address is this machine's, or lies on a network that it has a foot in, or is not public at all. */
export function isOnOwnNetwork(address: string): boolean {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return true;
  return notPublic.check(plain, familyOf(plain)) || ownNetworks().check(plain, familyOf(plain));
}

/** Asked each time: networks come and go. */
function ownNetworks(): BlockList {
  const own = new BlockList();
  for (const { address, cidr } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    const [network, prefix] = cidr?.split('/') ?? [];
    if (network === undefined || prefix === undefined) own.addAddress(address, familyOf(address));
    else own.addSubnet(network, Number(prefix), familyOf(network));
  }
  return own;
}

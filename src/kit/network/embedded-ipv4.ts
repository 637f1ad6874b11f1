// The IPv4 addresses that an IPv6 address may lead to: mapped, translated, or tunnelled.

type Groups = readonly number[];
type Halves = readonly [high: number, low: number];

const last: (groups: Groups) => Halves = (groups) => [groups[6]!, groups[7]!];

/** By the groups of 16 bits with which such addresses begin, where the two halves of the IPv4 address are. */
const EMBEDDINGS: readonly (readonly [begins: Groups, read: (groups: Groups) => Halves])[] = [
  [[0, 0, 0, 0, 0, 0], last], // IPv4-compatible
  [[0, 0, 0, 0, 0, 0xffff], last], // IPv4-mapped
  [[0, 0, 0, 0, 0xffff, 0], last], // IPv4-translated
  [[0x64, 0xff9b], last], // NAT64, with the usual prefix or a local one
  [[0x64, 0xff9b, 1], (groups) => [groups[3]!, ((groups[4]! & 0xff) << 8) | (groups[5]! >> 8)]],
  [[0x2002], (groups) => [groups[1]!, groups[2]!]], // 6to4
  [[0x2001, 0], (groups) => [groups[2]!, groups[3]!]], // Teredo: the server, and below the client
  [[0x2001, 0], (groups) => [groups[6]! ^ 0xffff, groups[7]! ^ 0xffff]],
];
/** ISATAP has a mark in the middle, in any network. */
const ISATAP = 0x5efe;

export function embeddedIpv4(address: string): string[] {
  const groups = groupsOf(address);
  const found = EMBEDDINGS.filter(([begins]) => begins.every((group, index) => groups[index] === group)).map(([, read]) => read(groups));
  return (groups[5] === ISATAP ? [...found, last(groups)] : found).map(dotted);
}

function dotted([high, low]: Halves): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** All eight of them. */
function groupsOf(address: string): Groups {
  // Writes every form in the same way, without dots.
  const { hostname } = new URL(`http://[${address}]/`);
  const [before = '', after = ''] = hostname.slice(1, -1).split('::');
  const [head, tail] = [numbersIn(before), numbersIn(after)];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function numbersIn(part: string): number[] {
  return part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
}

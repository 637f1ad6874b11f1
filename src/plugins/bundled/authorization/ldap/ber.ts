// Elements of the basic encoding rules, in which LDAP is spoken.

export interface Element {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

export const SEQUENCE = 0x30;
const MAX_LENGTH_OCTETS = 4;

/** A tag, a length in one octet or in as many as it says, the contents, which need not be there. Undefined: the length is not complete. */
export function elementAt(bytes: Buffer, at: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  const octets = first - 0x80;
  if (octets === 0 || octets > MAX_LENGTH_OCTETS) throw new Error('its answer has a length that cannot be read.');
  if (bytes.length < at + 2 + octets) return undefined;
  const start = at + 2 + octets;
  return { tag, start, end: start + bytes.readUIntBE(at + 2, octets) };
}

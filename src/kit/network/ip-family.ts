// The family of an IP address, as the functions of node:net name it.

/** Of an address that is known to be one: the regular expressions of `isIPv6` take ten milliseconds to compile. */
export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

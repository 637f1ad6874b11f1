// Whether a host says by itself that it is this machine.
import { isIP } from 'node:net';
import { classOf } from './address-class.ts';

/** `hostname` is that of a URL, which has brought addresses into their usual form. Other names are not looked up. */
export function namesLoopback(hostname: string): boolean {
  const bare = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || (isIP(bare) !== 0 && classOf(bare) === 'loopback');
}

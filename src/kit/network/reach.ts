// Where a connection may go, and the message about a refused one.
import { isIP } from 'node:net';
import { classOf } from './address-class.ts';

/** The messages about refused addresses, to stand after "is" or "leads to"; a class without a message is allowed. */
export type NetworkPolicy = Readonly<{ never: string } & Partial<Record<'loopback' | 'private', string>>>;

const NEVER = 'a link-local address, or one of the metadata service of a cloud. The server never connects to these.';

/** Allows everything that is ever allowed. */
export const TRUSTED: NetworkPolicy = { never: NEVER };

export class ForbiddenAddress extends Error {
  /** The message about the kind of address, without its name. */
  readonly kind: string;

  constructor(host: string, kind: string) {
    super(`${host} ${isIP(host) === 0 ? 'leads to' : 'is'} ${kind}`);
    this.kind = kind;
  }
}

/** Undefined: it may be connected to. The error does not reveal the address that a name resolves to: the user need not know it. */
export function forbidden(host: string, address: string, networkPolicy: NetworkPolicy): ForbiddenAddress | undefined {
  const found = classOf(address);
  const kind = found === 'public' ? undefined : networkPolicy[found];
  return kind === undefined ? undefined : new ForbiddenAddress(host, kind);
}

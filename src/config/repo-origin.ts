// Entities that config repos define: part of the configuration like all others, but only their repo can change them.
import type { RemoteOrigin } from '../shape/origin.ts';
import type { Entity } from '../shape/resource.ts';

export type { RemoteOrigin };

/** Undefined: it is of the server's own configuration. */
export function repoOriginOf({ origin }: Entity): RemoteOrigin | undefined {
  return origin ?? undefined;
}

// Entities that config repos define: part of the configuration like all others, but only their repo can change them.
import type { Entity } from '../shape/resource.ts';

export interface RemoteOrigin {
  readonly repo: string;
  readonly file: string;
  /** Of a pipeline: where it is shown among those of its group. */
  readonly order?: number;
  /** Of a pipeline: what it calls the SCMs and packages that it uses, by id. */
  readonly scms?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** Of an SCM: what else it is called by those who declare the same. */
  readonly alsoCalled?: readonly string[];
}

/** Undefined: it is of the server's own configuration. */
export function remoteOrigin({ origin }: Entity): RemoteOrigin | undefined {
  return (origin as RemoteOrigin | null | undefined) ?? undefined;
}

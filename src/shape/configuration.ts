// The kinds of configuration as types: their names, and the type of the entities of each.
import type { RemoteOrigin } from './origin.ts';

/** Filled by the registry (`resources/index.ts`), kind by kind, so that a wrong name or field does not compile anywhere below it. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface ConfigurationKinds {}

export type KindName = keyof ConfigurationKinds & string;
/** An entity of whatever kind. */
export interface Entity {
  readonly [field: string]: unknown;
  /** Absent or null: it is of the server's own configuration. */
  readonly origin?: RemoteOrigin | null;
}
/** An entity of this kind. For code that handles all kinds alike, which knows the name only as `KindName`, it is any entity. */
export type EntityNamed<K extends KindName> = KindName extends K ? Entity : ConfigurationKinds[K & keyof ConfigurationKinds];

/** An entity of any kind, beside its kind: `isOfKind` tells the compiler its type. */
export interface NamedEntity {
  readonly kind: KindName;
  readonly id: string;
  readonly entity: Entity;
}

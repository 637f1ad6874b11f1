// Tells the compiler of which type an entity is, where entities of all kinds come the same way.
import type { EntityNamed, KindName } from './configuration.ts';
import type { Entity } from './resource.ts';

/** Entities of a kind are read and checked by the declaration that the registry has under its name. */
export function isOfKind<K extends KindName>(name: K, kind: KindName, _entity: Entity): _entity is EntityNamed<K> {
  return kind === name;
}

// The index of references between entities, so that a change looks only at the entities it touches.
import type { Pause } from '../kit/concurrency/time-slices.ts';
import type { EntityNamed, KindName, NamedEntity } from '../shape/configuration.ts';
import { type Entity, type Kind, keyOf, type Reference } from '../shape/resource.ts';
import { Referrers } from './referrers.ts';

export interface Referrer {
  readonly kind: KindName;
  readonly id: string;
}

export type FindEntity = <K extends KindName>(kindName: K, id: string) => EntityNamed<K> | undefined;

export function tagTarget(tag: string): string {
  return `tag\n${tag}`;
}

export function claimTarget(kind: Kind, to: string): string {
  return `claim of ${kind.name}\n${to}`;
}

/** The key of an entity in the index, both as a referrer and as a target. */
export function nameOf(kind: Kind, key: string): string {
  return `${kind.name}\n${key}`;
}

export function kindAndKeyIn(name: string): { readonly kind: KindName; readonly key: string } {
  const end = name.indexOf('\n');
  // It was made by `nameOf`.
  return { kind: name.slice(0, end) as KindName, key: name.slice(end + 1) };
}

export class References {
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #find: FindEntity;
  #referrers = new Referrers();
  /** The kinds through which others refer to others. */
  readonly #waysThrough: ReadonlySet<string>;

  constructor(kinds: ReadonlyMap<string, Kind>, find: FindEntity) {
    this.#kinds = kinds;
    this.#find = find;
    this.#waysThrough = new Set([...kinds.values()].flatMap((kind) => Object.keys(kind.refersThrough ?? {})));
  }

  add(kind: Kind, key: string, entity: Entity): void {
    this.#referrers.add(nameOf(kind, key), this.targetsOf(kind, entity, this.#find));
  }

  /** While everything is still there that was there when it was added. */
  remove(kind: Kind, key: string, entity: Entity): void {
    this.#referrers.remove(nameOf(kind, key), this.targetsOf(kind, entity, this.#find));
  }

  of(target: string): ReadonlySet<string> {
    return this.#referrers.of(target);
  }

  async copyFrom(other: References, pause: Pause): Promise<void> {
    this.#referrers = await other.#referrers.copy(pause);
  }

  replaceWith(copy: References): void {
    this.#referrers = copy.#referrers;
  }

  targetsOf(kind: Kind, entity: Entity, find: FindEntity): Set<string> {
    const targets = new Set(referencesOf(kind, entity, find).map((reference) => this.targetOf(reference)));
    // A claim is kept like a reference, to a thing that is no entity.
    for (const tag of kind.tags?.(entity) ?? []) targets.add(tagTarget(tag));
    for (const { to } of kind.claims?.(entity) ?? []) targets.add(claimTarget(kind, to));
    return targets;
  }

  targetOf({ kind, id }: Pick<Reference, 'kind' | 'id'>): string {
    const target = this.#kinds.get(kind);
    return `${kind}\n${target ? keyOf(target, id) : id.toLowerCase()}`;
  }

  /** The referrers that refer to others through this entity: their references change with it. */
  indirectReferrers(kind: Kind, referrers: Iterable<string>): { readonly kind: Kind; readonly key: string }[] {
    if (!this.#waysThrough.has(kind.name)) return [];
    return [...referrers].flatMap((referrer) => {
      const { kind: kindName, key } = kindAndKeyIn(referrer);
      const referring = this.#kinds.get(kindName)!;
      return referring.refersThrough?.[kind.name] ? [{ kind: referring, key }] : [];
    });
  }
}

/** All that an entity names, by itself and through others. */
export function referencesOf(kind: Kind, entity: Entity, find: FindEntity): readonly Reference[] {
  const own = ownReferences(kind, entity);
  return kind.refersThrough ? [...own, ...namedThrough(kind, entity, linkedEntities(kind, own, find))] : own;
}

export function referencesThrough(kind: Kind, entity: Entity, find: FindEntity): readonly Reference[] {
  return kind.refersThrough ? namedThrough(kind, entity, linkedEntities(kind, ownReferences(kind, entity), find)) : [];
}

/** The entities through which this one refers to others. */
export function entitiesThrough(kind: Kind, entity: Entity, find: FindEntity): readonly NamedEntity[] {
  return kind.refersThrough ? linkedEntities(kind, ownReferences(kind, entity), find) : [];
}

function ownReferences(kind: Kind, entity: Entity): readonly Reference[] {
  return kind.refersTo?.(entity) ?? [];
}

function linkedEntities({ refersThrough }: Kind, own: readonly Reference[], find: FindEntity): NamedEntity[] {
  return own.flatMap(({ kind, id }) => {
    const entity = refersThrough?.[kind] && find(kind, id);
    return entity ? [{ kind, id, entity }] : [];
  });
}

function namedThrough(kind: Kind, entity: Entity, linked: readonly NamedEntity[]): Reference[] {
  return linked.flatMap((other) => namedThroughOne(kind, entity, other.kind, other.entity));
}

function namedThroughOne<K extends KindName>(
  { refersThrough }: Kind,
  entity: Entity,
  kind: K,
  other: EntityNamed<K>,
): readonly Reference[] {
  return refersThrough?.[kind]?.(entity, other) ?? [];
}

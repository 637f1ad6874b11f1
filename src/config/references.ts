// The index of references: who names whom, so that a change looks only at what it touches.
import { type Entity, type Kind, keyOf, type Reference } from '../shape/resource.ts';

export interface Referrer {
  readonly kind: string;
  readonly id: string;
}

export function markTarget(mark: string): string {
  return `mark\n${mark}`;
}

export function claimTarget(kind: Kind, to: string): string {
  return `claim of ${kind.name}\n${to}`;
}

const NONE: ReadonlySet<string> = new Set();

export class References {
  readonly #kinds: ReadonlyMap<string, Kind>;
  /** Target → the entities that name it; both as `kind\nkey`. */
  readonly #referrers = new Map<string, Set<string>>();

  constructor(kinds: ReadonlyMap<string, Kind>) {
    this.#kinds = kinds;
  }

  add(kind: Kind, key: string, entity: Entity): void {
    for (const target of this.targetsOf(kind, entity))
      this.#referrers.getOrInsertComputed(target, () => new Set()).add(`${kind.name}\n${key}`);
  }

  remove(kind: Kind, key: string, entity: Entity): void {
    for (const target of this.targetsOf(kind, entity)) {
      const referrers = this.#referrers.get(target);
      referrers?.delete(`${kind.name}\n${key}`);
      if (referrers?.size === 0) this.#referrers.delete(target);
    }
  }

  of(target: string): ReadonlySet<string> {
    return this.#referrers.get(target) ?? NONE;
  }

  targetsOf(kind: Kind, entity: Entity): Set<string> {
    const targets = new Set((kind.refersTo?.(entity as never) ?? []).map((reference) => this.targetOf(reference)));
    // A claim is kept like a reference, to a thing that is no entity.
    for (const mark of kind.marks?.(entity as never) ?? []) targets.add(markTarget(mark));
    for (const { to } of kind.claims?.(entity as never) ?? []) targets.add(claimTarget(kind, to));
    return targets;
  }

  targetOf({ kind, id }: Pick<Reference, 'kind' | 'id'>): string {
    const target = this.#kinds.get(kind);
    return `${kind}\n${target ? keyOf(target, id) : id.toLowerCase()}`;
  }
}

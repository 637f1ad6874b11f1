// The references between entities in a draft: the index, with the changes made by the draft and by the pending edits before it.
import type { KindName } from '../shape/configuration.ts';
import type { Kind } from '../shape/resource.ts';
import type { Entry } from './entry.ts';
import { kindAndKeyIn, type References, type Referrer } from './references.ts';
import type { TouchedReferences } from './touched-references.ts';

const NONE: readonly Referrer[] = [];

/** The part of the draft used here. */
interface ReferringDraft {
  readonly touched: TouchedReferences;
  kind(name: KindName): Kind;
  find(kind: Kind, id: string): Entry | undefined;
}

export class DraftReferrers {
  readonly #draft: ReferringDraft;
  readonly #references: References;
  readonly #pending: TouchedReferences;

  constructor(draft: ReferringDraft, references: References, pending: TouchedReferences) {
    this.#draft = draft;
    this.#references = references;
    this.#pending = pending;
  }

  /** As they stand in the index. */
  *names(target: string): Generator<string> {
    const { touched } = this.#draft;
    for (const name of this.#references.of(target)) if (!this.#pending.has(name) && !touched.has(name)) yield name;
    for (const name of this.#pending.of(target)) if (!touched.has(name)) yield name;
    yield* touched.of(target);
  }

  /** In no special order. */
  *entries(target: string): Generator<{ readonly kind: Kind; readonly key: string; readonly entry: Entry | undefined }> {
    for (const name of this.names(target)) {
      const { kind: kindName, key } = kindAndKeyIn(name);
      const kind = this.#draft.kind(kindName);
      yield { kind, key, entry: this.#draft.find(kind, key) };
    }
  }

  /** In the order of creation: the index keeps another one, which a restart would change. */
  of(target: string): readonly Referrer[] {
    return this.#isUnreferenced(target) ? NONE : this.#sorted(target);
  }

  /** Rules ask again and again for the referrers of entities that have none. */
  #isUnreferenced(target: string): boolean {
    return this.#references.of(target).size + this.#pending.of(target).size + this.#draft.touched.of(target).size === 0;
  }

  #sorted(target: string): Referrer[] {
    return [...this.entries(target)]
      .sort((one, other) => (one.entry?.created ?? 0) - (other.entry?.created ?? 0))
      .map(({ kind, key, entry }) => ({ kind: kind.name, id: kind.shape === 'collection' && entry ? String(entry.value[kind.id]) : key }));
  }

  /** The referrers that are removed with the target. */
  ownedBy(target: string): { readonly kind: Kind; readonly id: string }[] {
    return this.of(target).flatMap((referrer) => {
      const kind = this.#draft.kind(referrer.kind);
      const entity = this.#draft.find(kind, referrer.id)?.value;
      const named = entity ? (kind.refersTo?.(entity) ?? []) : [];
      const isOwned = named.some((reference) => reference.isOwner && this.#references.targetOf(reference) === target);
      return isOwned ? [{ kind, id: referrer.id }] : [];
    });
  }
}

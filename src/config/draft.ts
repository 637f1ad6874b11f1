// A draft: the configuration with some entities replaced, seen as a whole before anything has happened.
import { etagOf } from '../shape/etag.ts';
import { keepUnchangedSecrets } from '../shape/keep-secrets.ts';
import type { Operation } from '../shape/messages.ts';
import type { Problem } from '../shape/problem.ts';
import { type Entity, idOf, type Kind, keyOf, type Lookup, type SeesMarks, type SeesReferrers } from '../shape/resource.ts';
import type { Config } from './current.ts';
import type { Entry } from './entry.ts';
import { claimTarget, markTarget, type Referrer } from './references.ts';

export interface Edit {
  readonly kind: Kind;
  readonly key: string;
  readonly id: string;
  readonly operation: Operation;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  /** The removal of its owner, which it goes along with. */
  readonly removedWith?: Edit;
  /** What was already found wrong while reading it. */
  readonly problems: readonly Problem[];
}

/** Changes that are decided and checked, but not yet on disk: later ones are judged as if they were. */
export class Accepted {
  readonly edits = new Map<string, Edit>();
  revision: number;
  created: number;

  constructor(config: Config) {
    this.revision = config.revision;
    this.created = config.created;
  }

  add(draft: Draft): void {
    for (const edit of draft.edits) this.edits.set(nameOf(edit.kind, edit.key), edit);
    this.revision = draft.revision;
    this.created = draft.created;
  }
}

export class Draft {
  readonly #config: Config;
  readonly #accepted: Accepted;
  readonly #edits = new Map<string, Edit>();
  readonly #targets = new Map<Entry, ReadonlySet<string>>();
  #seen: Seen | undefined;
  created: number;

  constructor(config: Config, accepted: Accepted = new Accepted(config)) {
    this.#config = config;
    this.#accepted = accepted;
    this.created = accepted.created;
  }

  get edits(): readonly Edit[] {
    return [...this.#edits.values()];
  }

  get revision(): number {
    return this.#accepted.revision + 1;
  }

  kindNamed(name: string): Kind | undefined {
    return this.#config.kinds.get(name);
  }

  find(kind: Kind, id: string): Entry | undefined {
    if (this.#edits.size === 0) return this.#findBefore(kind, id);
    const edit = this.#edits.get(nameOf(kind, keyOf(kind, id)));
    return edit ? edit.after : this.#findBefore(kind, id);
  }

  /** As it is without this draft. */
  #findBefore(kind: Kind, id: string): Entry | undefined {
    if (this.#accepted.edits.size === 0) return this.#config.of(kind.name).find(id);
    const edit = this.#accepted.edits.get(nameOf(kind, keyOf(kind, id)));
    return edit ? edit.after : this.#config.of(kind.name).find(id);
  }

  put(kind: Kind, id: string, entity: Entity, problems: readonly Problem[] = []): Entry {
    const before = this.#findBefore(kind, id);
    const latest = this.find(kind, id);
    const value = latest ? keepUnchangedSecrets(latest.value, entity) : entity;
    const etag = etagOf(value);
    const key = keyOf(kind, id);
    const isUnchanged = before?.etag === etag && problems.length === 0;
    const after = isUnchanged ? before : { key, value, etag, revision: this.revision, created: before?.created ?? ++this.created };
    this.#edit({ kind, key, id, operation: before ? 'update' : 'create', before, after, problems });
    return after;
  }

  /** Gives an entity another id, at the end of its kind; those that refer to it follow. */
  rename(kind: Kind, id: string, entity: Entity, problems: readonly Problem[]): Entry {
    const before = this.find(kind, id)!;
    const newId = idOf(kind, entity);
    const referrers = this.referrers(kind.name, id);
    this.#edit({ kind, key: keyOf(kind, id), id, operation: 'delete', before, after: undefined, problems: [] });
    const after = this.put(kind, newId, entity, problems);
    for (const referrer of referrers) {
      const referring = this.kindNamed(referrer.kind)!;
      const follow = referring.follows?.[kind.name];
      if (follow) this.put(referring, referrer.id, follow(this.find(referring, referrer.id)!.value as never, newId) as Entity);
    }
    return after;
  }

  /** Removes an entity, and with it those it owns. */
  remove(kind: Kind, id: string, removedWith?: Edit): void {
    const before = this.#findBefore(kind, id);
    const owned = this.#ownedBy(kind, id);
    const removal: Edit = {
      kind,
      key: keyOf(kind, id),
      id,
      operation: 'delete',
      before,
      after: undefined,
      problems: [],
      ...(removedWith && { removedWith }),
    };
    this.#edit(removal);
    for (const one of owned) this.remove(one.kind, one.id, removedWith ?? removal);
  }

  #edit(edit: Edit): void {
    this.#edits.set(nameOf(edit.kind, edit.key), edit);
  }

  /** What rules see: a lookup under the name of each kind, and who refers to whom. */
  get seen(): Seen {
    this.#seen ??= Object.assign(Object.create(seenBy(this.#config)), { draft: this }) as Seen;
    return this.#seen;
  }

  referrers(kindName: string, id: string): Referrer[] {
    return this.#naming(this.#config.references.targetOf({ kind: kindName, id }));
  }

  /** Those that have left this mark. */
  marked(mark: string): Referrer[] {
    return this.#naming(markTarget(mark));
  }

  /** Those that claim the same thing. */
  claimants(kind: Kind, to: string): Referrer[] {
    return this.#naming(claimTarget(kind, to));
  }

  #naming(target: string): Referrer[] {
    const { references, kinds } = this.#config;
    const found: Referrer[] = [];
    for (const referrer of references.of(target)) {
      if (this.#edits.has(referrer) || this.#accepted.edits.has(referrer)) continue;
      const [kind, key] = referrer.split('\n') as [string, string];
      found.push({ kind, id: key });
    }
    for (const { kind, id: editedId, after } of this.#latestEdits()) {
      if (after && this.#targetsOf(kind, after).has(target)) found.push({ kind: kind.name, id: editedId });
    }
    // In the order of creation: the index keeps another one, which a restart would change.
    return found
      .map(({ kind: name, id: key }) => ({ kind: kinds.get(name)!, key, entry: this.find(kinds.get(name)!, key) }))
      .sort((one, other) => (one.entry?.created ?? 0) - (other.entry?.created ?? 0))
      .map(({ kind, key, entry }) => ({ kind: kind.name, id: kind.shape === 'collection' && entry ? String(entry.value[kind.id]) : key }));
  }

  *#latestEdits(): Generator<Edit> {
    for (const [name, edit] of this.#accepted.edits) if (!this.#edits.has(name)) yield edit;
    yield* this.#edits.values();
  }

  #ownedBy(kind: Kind, id: string): { readonly kind: Kind; readonly id: string }[] {
    const { references } = this.#config;
    const target = references.targetOf({ kind: kind.name, id });
    return this.referrers(kind.name, id).flatMap((referrer) => {
      const referring = this.kindNamed(referrer.kind)!;
      const entity = this.find(referring, referrer.id)?.value;
      const named = entity ? (referring.refersTo?.(entity as never) ?? []) : [];
      const isOwned = named.some((reference) => reference.isOwner && references.targetOf(reference) === target);
      return isOwned ? [{ kind: referring, id: referrer.id }] : [];
    });
  }

  /** What an edited entity refers to, found once: rules ask for each of its references who else has it. */
  #targetsOf(kind: Kind, entry: Entry): ReadonlySet<string> {
    return this.#targets.getOrInsertComputed(entry, () => this.#config.references.targetsOf(kind, entry.value));
  }

  lookup(kind: Kind): Lookup<Entity> {
    return {
      get: (id) => this.find(kind, id)?.value,
      has: (id) => this.find(kind, id) !== undefined,
      values: () => this.#values(kind),
    };
  }

  *#values(kind: Kind): Generator<Entity> {
    const entries = this.#config.of(kind.name);
    for (const { key } of entries.all()) {
      const entry = this.find(kind, key);
      if (entry) yield entry.value;
    }
    for (const edit of this.#latestEdits()) {
      if (edit.kind === kind && edit.after && !entries.find(edit.id)) yield edit.after.value;
    }
  }
}

export type Seen = SeesReferrers & SeesMarks & Readonly<Record<string, unknown>>;

const seenPrototypes = new WeakMap<Config, object>();

/** Made once for each configuration: a draft is made for every write. */
function seenBy(config: Config): object {
  return seenPrototypes.getOrInsertComputed(config, () => {
    const prototype = {
      get referrers() {
        const { draft } = this as unknown as { draft: Draft };
        return (kind: string, id: string) => draft.referrers(kind, id);
      },
      get marked() {
        const { draft } = this as unknown as { draft: Draft };
        return (mark: string) => draft.marked(mark);
      },
    };
    for (const kind of config.kinds.values()) {
      const get = function (this: { draft: Draft }) {
        return this.draft.lookup(kind);
      };
      Object.defineProperty(prototype, kind.name, { get });
    }
    return prototype;
  });
}

function nameOf(kind: Kind, key: string): string {
  return `${kind.name}\n${key}`;
}

// A draft: the configuration with some entities replaced, seen as a whole before anything has happened.
import type { Pause } from '../kit/concurrency/time-slices.ts';
import type { EntityNamed, KindName } from '../shape/configuration.ts';
import { etagAndJson } from '../shape/json/etag.ts';
import type { Problem } from '../shape/problems/problem.ts';
import { type Entity, idOf, type Kind, keyOf, type Lookup, type RuleView } from '../shape/resource.ts';
import { keepUnchangedSecrets } from '../shape/secrets/keep-secrets.ts';
import type { SecretWriters } from '../shape/secrets/secret-writer.ts';
import type { Config } from './current.ts';
import { DraftReferrers } from './draft-referrers.ts';
import { type Edit, isEditOf } from './edit.ts';
import type { Entry } from './entry.ts';
import { PendingEdits } from './pending-edits.ts';
import { claimTarget, type FindEntity, nameOf, type Referrer, tagTarget } from './references.ts';
import { ruleViewOf } from './rule-view.ts';
import { TouchedReferences } from './touched-references.ts';

const NOTHING: ReadonlySet<string> = new Set();

export class Draft {
  readonly #config: Config;
  readonly #pending: PendingEdits;
  readonly #edits = new Map<string, Edit>();
  /** The other entities as they are in this draft. */
  readonly findEntity: FindEntity;
  /** The references of edited entities, and of entities whose references go through an edited one. */
  readonly touched = new TouchedReferences();
  readonly #referrers: DraftReferrers;
  #ruleView: RuleView | undefined;
  /** Results that rules have computed for the present state of this draft. */
  readonly remembered = new Map<unknown, Set<object>>();
  lastCreated: number;
  /** The config repo that publishes by this draft; undefined: the change comes from no config repo. */
  publisher: string | undefined;

  constructor(config: Config, pending: PendingEdits = new PendingEdits(config)) {
    this.#config = config;
    this.#pending = pending;
    // Tests have configurations of some kinds only, which refer to others.
    this.findEntity = (kindName, id) => (config.kinds.has(kindName) ? this.find(config.kind(kindName), id)?.value : undefined);
    this.#referrers = new DraftReferrers(this, config.references, pending.touched);
    this.lastCreated = pending.lastCreated;
  }

  get edits(): readonly Edit[] {
    return [...this.#edits.values()];
  }

  /** A draft on top of this one, to see what a further step would do; this one stays as it is. */
  branch(): Draft {
    const pending = new PendingEdits(this.#config);
    pending.take(this.#pending);
    pending.add(this);
    return new Draft(this.#config, pending);
  }

  /** Copies the draft, to edit the copy further while this one stays as it is. */
  copy(): Draft {
    const same = new Draft(this.#config, this.#pending);
    same.replaceWith(this);
    return same;
  }

  /** Takes over the present state of a copy. */
  replaceWith(copy: Draft): void {
    for (const [name, edit] of copy.#edits) this.#edits.set(name, edit);
    this.touched.setAll(copy.touched);
    this.lastCreated = copy.lastCreated;
    this.publisher = copy.publisher;
  }

  get revision(): number {
    return this.#pending.revision + 1;
  }

  /** How secrets stand in answers. */
  get secrets(): SecretWriters {
    return this.#config.secrets;
  }

  /** The kind of this name, which may come from a request or a file. */
  kindNamed(name: string): Kind | undefined {
    return this.#config.kinds.get(name);
  }

  kind<K extends KindName>(name: K): Kind<K> {
    return this.#config.kind(name);
  }

  find<K extends KindName>(kind: Kind<K>, id: string): Entry<EntityNamed<K>> | undefined {
    const edit = editIn(this.#edits, kind, id);
    return edit ? edit.after : this.#findBefore(kind, id);
  }

  /** The entity as it is without this draft. */
  #findBefore<K extends KindName>(kind: Kind<K>, id: string): Entry<EntityNamed<K>> | undefined {
    const edit = editIn(this.#pending.edits, kind, id);
    return edit ? edit.after : this.#config.of(kind.name).find(id);
  }

  put<K extends KindName>(
    kind: Kind<K>,
    id: string,
    entity: EntityNamed<K>,
    problems: readonly Problem[] = [],
    sent?: Entity,
  ): Entry<EntityNamed<K>> {
    const before = this.#findBefore(kind, id);
    const latest = this.find(kind, id);
    const value = latest ? keepUnchangedSecrets(latest.value, entity) : entity;
    const { etag, json } = etagAndJson(value);
    const key = keyOf(kind, id);
    const isUnchanged = before?.etag === etag && problems.length === 0;
    const after = isUnchanged ? before : { key, value, etag, revision: this.revision, created: before?.created ?? ++this.lastCreated };
    this.#edit({
      kind,
      key,
      id,
      operation: before ? 'update' : 'create',
      before,
      after,
      ...(json !== undefined && !isUnchanged && { json }),
      problems,
      sent,
      isFreed: this.wasRemovedWithOwner(kind, id),
    });
    return after;
  }

  /** Gives an entity another id, at the end of its kind; those that refer to it follow. */
  rename(kind: Kind, id: string, entity: Entity, problems: readonly Problem[]): Entry {
    const before = this.find(kind, id)!;
    const newId = idOf(kind, entity);
    const referrers = this.referrers(kind.name, id);
    const key = keyOf(kind, id);
    this.#edit({ kind, key, id, operation: 'delete', before, after: undefined, problems: [], isFreed: this.wasRemovedWithOwner(kind, id) });
    const after = this.put(kind, newId, entity, problems);
    for (const referrer of referrers) {
      const referring = this.kind(referrer.kind);
      const follow = referring.follows?.[kind.name];
      if (follow) this.put(referring, referrer.id, follow(this.find(referring, referrer.id)!.value, newId));
    }
    return after;
  }

  /** Removes an entity, and with it those it owns. */
  remove(kind: Kind, id: string, removedWith?: Edit): void {
    const before = this.#findBefore(kind, id);
    const owned = this.#referrers.ownedBy(this.#targetOf(kind.name, id));
    const key = keyOf(kind, id);
    const removal: Edit = {
      kind,
      key,
      id,
      operation: 'delete',
      before,
      after: undefined,
      problems: [],
      isFreed: this.wasRemovedWithOwner(kind, id),
      ...(removedWith && { removedWith }),
    };
    this.#edit(removal);
    for (const one of owned) this.remove(one.kind, one.id, removedWith ?? removal);
  }

  /** Takes over an edit of another draft. */
  adopt(edit: Edit): void {
    this.#edit(edit);
  }

  /** Puts back the entry from before an edit that has come into force. */
  undo({ kind, key, id, before, after }: Edit): void {
    this.#edit({ kind, key, id, operation: 'update', before: after, after: before, problems: [] });
  }

  /** Whether it went along with its owner, be it there again or not. */
  wasRemovedWithOwner(kind: Kind, id: string): boolean {
    const earlier = this.#edits.get(nameOf(kind, keyOf(kind, id)));
    return earlier?.isFreed === true || earlier?.removedWith !== undefined;
  }

  #edit(edit: Edit): void {
    this.remembered.clear();
    const { kind, key, after } = edit;
    const latest = this.find(kind, key);
    this.#edits.set(nameOf(kind, key), edit);
    this.#touch(kind, key);
    if (after === latest) return;
    const { references } = this.#config;
    for (const referrer of references.indirectReferrers(kind, this.#referrers.names(nameOf(kind, key))))
      this.#touch(referrer.kind, referrer.key);
  }

  #touch(kind: Kind, key: string): void {
    const entry = this.find(kind, key);
    const targets = entry ? this.#config.references.targetsOf(kind, entry.value, this.findEntity) : NOTHING;
    this.touched.set(nameOf(kind, key), targets);
  }

  /** The view of this draft for rules: a lookup under the name of each kind, and the references between entities. */
  get ruleView(): RuleView {
    this.#ruleView ??= ruleViewOf(this, this.#config);
    return this.#ruleView;
  }

  referrers(kindName: KindName, id: string): readonly Referrer[] {
    const referrers = this.#referrers.of(this.#targetOf(kindName, id));
    const kind = this.kindNamed(kindName);
    return kind?.isNamedInTexts ? [...referrers, ...this.#namingInTexts(kind, id)] : referrers;
  }

  /** Reads the ids that texts name, in slices: to be called before the referrers of an entity that texts can name are looked up. */
  prepareIdsInTexts(pause: Pause): Promise<void> {
    return this.#config.prepareIdsInTexts(pause);
  }

  /** Looks at every entity: what was not prepared before takes its time here. */
  *#namingInTexts(named: Kind, id: string): Generator<Referrer> {
    for (const kind of this.#config.kinds.values()) {
      if (kind === named) continue;
      for (const entity of this.#values(kind))
        if (this.#config.idsInTexts(entity).has(id)) yield { kind: kind.name, id: idOf(kind, entity) };
    }
  }

  /** The entities that carry this tag. */
  tagged(tag: string): readonly Referrer[] {
    return this.#referrers.of(tagTarget(tag));
  }

  /** The entities of a kind that claim the same thing. */
  claimants(kind: Kind, to: string): readonly Referrer[] {
    return this.#referrers.of(claimTarget(kind, to));
  }

  /** Like `referrers`, but yields whole entities in no special order: for callers that look at very many. */
  *referring(kindName: KindName, id: string): Generator<{ readonly kind: Kind; readonly entry: Entry }> {
    for (const { kind, entry } of this.#referrers.entries(this.#targetOf(kindName, id))) if (entry) yield { kind, entry };
  }

  #targetOf(kind: KindName, id: string): string {
    return this.#config.references.targetOf({ kind, id });
  }

  *#latestEdits(): Generator<Edit> {
    for (const [name, edit] of this.#pending.edits) if (!this.#edits.has(name)) yield edit;
    yield* this.#edits.values();
  }

  lookup<K extends KindName>(kind: Kind<K>): Lookup<EntityNamed<K>> {
    return {
      get: (id) => this.find(kind, id)?.value,
      has: (id) => this.find(kind, id) !== undefined,
      values: () => this.#values(kind),
    };
  }

  *#values<K extends KindName>(kind: Kind<K>): Generator<EntityNamed<K>> {
    const entries = this.#config.of(kind.name);
    for (const { key } of entries.all()) {
      const entry = this.find(kind, key);
      if (entry) yield entry.value;
    }
    for (const edit of this.#latestEdits()) {
      if (isEditOf(kind.name, edit) && edit.after && !entries.find(edit.id)) yield edit.after.value;
    }
  }
}

/** Every write makes a draft, and most look at many entities before they edit one. */
function editIn<K extends KindName>(edits: ReadonlyMap<string, Edit>, kind: Kind<K>, id: string): Edit<EntityNamed<K>> | undefined {
  const edit = edits.size === 0 ? undefined : edits.get(nameOf(kind, keyOf(kind, id)));
  return edit && isEditOf(kind.name, edit) ? edit : undefined;
}

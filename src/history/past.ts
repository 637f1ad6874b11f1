// The configuration as it was at some revision, from the change log.
import { Config } from '../config/current.ts';
import type { Entry } from '../config/entry.ts';
import { pause } from '../kit/concurrency/time-slices.ts';
import { Refusal } from '../kit/refusal.ts';
import type { EntityNamed, KindName } from '../shape/configuration.ts';
import { etagOf } from '../shape/json/etag.ts';
import { type Kind, keyOf } from '../shape/resource.ts';
import type { PastEntities, PastEntity } from '../store/revisions/past-entities.ts';
import type { RevisionLog } from '../store/revisions/revision-log.ts';
import { momentOf } from './at.ts';
import type { Retention } from './retention.ts';
import { completed, notKept } from './stored-value.ts';

interface Parts {
  /** The configuration as it is now. */
  readonly config: Config;
  readonly entities: PastEntities;
  readonly log: Pick<RevisionLog, 'lastUntil'>;
  readonly retention: Pick<Retention, 'keptFrom' | 'isKept'>;
}

type FoundEntity = PastEntity & { readonly kind: Kind };

export class Past {
  readonly #parts: Parts;
  /** Whole kinds as they were, until the garbage collector takes them: a client that pages through a list asks for the same again. */
  readonly #known = new Map<string, WeakRef<Config>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The revision that `?at=` names; refused when there is none, or it is not kept. */
  async revisionAt(at: string): Promise<number> {
    const revision = await this.#named(at);
    const { retention } = this.#parts;
    if (!(await retention.isKept(revision))) throw notKept(revision, retention.keptFrom);
    return revision;
  }

  async #named(at: string): Promise<number> {
    const newest = this.#parts.config.revision;
    const moment = momentOf(at);
    if (!moment) throw new Refusal('malformed', invalidMoment(at));
    if ('revision' in moment) {
      if (moment.revision > 0 && moment.revision <= newest) return moment.revision;
      throw new Refusal('notFound', `There is no revision ${moment.revision}: they go from 1 to ${newest}.`);
    }
    if (moment.time > new Date().toISOString()) throw new Refusal('notFound', `${moment.time} is in the future.`);
    const revision = await this.#parts.log.lastUntil(moment.time);
    if (revision === undefined) throw new Refusal('notFound', `There was no configuration yet at ${moment.time}.`);
    // A revision that was just written to disk may not be in the configuration yet.
    return Math.min(revision, newest);
  }

  /** One entity as it was; undefined: it was not there. */
  async entry<K extends KindName>(kind: Kind<K>, id: string, revision: number): Promise<Entry<EntityNamed<K>> | undefined> {
    if (kind.shape === 'collection' && kind.addressedBy) {
      const entries = (await this.config([kind.name], revision)).of(kind.name);
      return entries.find(entries.idAt(id));
    }
    const found = await this.#parts.entities.one(kind.name, keyOf(kind, id), revision);
    return found && this.#entryOf(kind, found, revision);
  }

  /** A configuration in which only these kinds are as they were; of others there is nothing. */
  async config(kindNames: readonly KindName[], revision: number): Promise<Config> {
    const { config, entities } = this.#parts;
    if (revision === config.revision) return config;
    const lastChanges = await Promise.all(kindNames.map((name) => entities.lastChange(name, revision)));
    const name = `${kindNames.join()} ${Math.max(0, ...lastChanges)}`;
    const known = this.#known.get(name)?.deref();
    if (known) return known;
    const past = await this.#build(this.#allOf(kindNames, revision), revision);
    this.#forgetCollected();
    this.#known.set(name, new WeakRef(past));
    return past;
  }

  /** A past configuration with the other entities that an entity shows. */
  async shownBy(kind: Kind, id: string, revision: number): Promise<Config> {
    const { config, entities } = this.#parts;
    const { kinds, members } = kind.shows!;
    if (!members || revision === config.revision) return this.config(kinds, revision);
    const keys = await entities.keysOwnedBy(members.kind, keyOf(kind, id));
    return this.#build(this.#some(config.kind(members.kind), keys, revision), revision);
  }

  async #build(found: AsyncIterable<FoundEntity>, revision: number): Promise<Config> {
    const loaded: { readonly kind: Kind; readonly entry: Entry }[] = [];
    for await (const { kind, ...stored } of found) {
      const entry = this.#entryOf(kind, stored, revision);
      if (entry) loaded.push({ kind, entry });
      await pause();
    }
    loaded.sort((one, other) => one.entry.created - other.entry.created);
    const past = new Config([...this.#parts.config.kinds.values()]);
    past.secrets = this.#parts.config.secrets;
    past.idsInTexts = this.#parts.config.idsInTexts;
    for (const { kind, entry } of loaded) {
      past.replace(kind, entry.key, entry);
      await pause();
    }
    return past;
  }

  async *#allOf(kindNames: readonly KindName[], revision: number): AsyncGenerator<FoundEntity> {
    for (const name of kindNames) yield* this.#all(this.#parts.config.kind(name), revision);
  }

  async *#all(kind: Kind, revision: number): AsyncGenerator<FoundEntity> {
    if (kind.shape === 'singleton') {
      yield* this.#some(kind, [''], revision);
      return;
    }
    for (let afterKey: string | undefined = ''; afterKey !== undefined; ) {
      const page = await this.#parts.entities.page(kind.name, revision, afterKey);
      for (const found of page.found) yield { kind, ...found };
      afterKey = page.lastKey;
    }
  }

  async *#some(kind: Kind, keys: readonly string[], revision: number): AsyncGenerator<FoundEntity> {
    for (const key of keys) {
      const found = await this.#parts.entities.one(kind.name, key, revision);
      if (found) yield { kind, ...found };
    }
  }

  #entryOf<K extends KindName>(
    kind: Kind<K>,
    { key, after, operation, revision: changed, created }: PastEntity,
    asked: number,
  ): Entry<EntityNamed<K>> | undefined {
    if (after === null && operation === 'delete') return undefined;
    // Compacted since the revision was looked up.
    if (after === null) throw notKept(asked, this.#parts.retention.keptFrom);
    const stored = JSON.parse(after) as EntityNamed<K>;
    // The ETag is that of the stored value, without the fields that the kind has got since.
    return { key, value: completed(kind, stored), etag: etagOf(stored), revision: changed, created };
  }

  #forgetCollected(): void {
    for (const [name, known] of this.#known) if (!known.deref()) this.#known.delete(name);
  }
}

export function invalidMoment(at: string): string {
  return `Value \`${at.slice(0, 100)}\` is not allowed for query parameter named \`at\`. Valid values are numbers of revisions, and times such as 2026-01-31 or 2026-01-31T09:30:00Z.`;
}

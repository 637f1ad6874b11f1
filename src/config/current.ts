// The configuration as it is now, in memory: read by all parts of the server, replaced entry by entry by the one write path.
import type { Kysely } from 'kysely';
import type { Pause } from '../kit/concurrency/time-slices.ts';
import type { EntityNamed, KindName } from '../shape/configuration.ts';
import { addressOf, type Collection, type Entity, idOf, type Kind, keyOf, type PluginsView } from '../shape/resource.ts';
import { hideSecrets, type SecretWriters } from '../shape/secrets/secret-writer.ts';
import type { EntityRow } from '../store/rows/configuration.ts';
import type { Tables } from '../store/tables.ts';
import type { Entry } from './entry.ts';
import { nameOf, References } from './references.ts';

const ROWS_AT_ONCE = 500;
const NO_IDS: ReadonlySet<string> = new Set();

/** All entities of one kind. */
export class Entries<E extends Entity = Entity, K extends KindName = KindName> {
  readonly kind: Kind<K>;
  #byKey = new Map<string, Entry<E>>();
  /** The ids by address; filled only for a kind whose addresses are not its ids. */
  #idByAddress = new Map<string, string>();
  /** Grows with each change of this kind: values derived from its entries are valid while it stays the same. */
  generation = 0;

  constructor(kind: Kind<K>) {
    this.kind = kind;
  }

  get size(): number {
    return this.#byKey.size;
  }

  find(id: string): Entry<E> | undefined {
    return this.#byKey.get(keyOf(this.kind, id));
  }

  /** The id of the entity at an address; an address that leads nowhere is taken for an id. */
  idAt(address: string): string {
    return this.#idByAddress.size === 0 ? address : (this.#idByAddress.get(address.toLowerCase()) ?? address);
  }

  all(): IterableIterator<Entry<E>> {
    return this.#byKey.values();
  }

  set(key: string, entry: Entry<E> | undefined): void {
    this.#updateAddresses(this.#byKey.get(key), entry);
    if (entry) this.#byKey.set(key, entry);
    else this.#byKey.delete(key);
    this.generation++;
  }

  copyFrom(other: Entries<E>): void {
    this.#byKey = new Map(other.#byKey);
    this.#idByAddress = new Map(other.#idByAddress);
    this.generation = other.generation;
  }

  /** Takes over the changes made in a copy. */
  replaceWith(copy: Entries<E>): void {
    if (copy.generation === this.generation) return;
    this.#byKey = copy.#byKey;
    this.#idByAddress = copy.#idByAddress;
    this.generation = copy.generation;
  }

  #updateAddresses(before: Entry | undefined, after: Entry | undefined): void {
    if (this.kind.shape === 'singleton' || !this.kind.addressedBy) return;
    if (before) this.#idByAddress.delete(addressOf(this.kind, before.value).toLowerCase());
    if (after) this.#idByAddress.set(addressOf(this.kind, after.value).toLowerCase(), idOf(this.kind, after.value));
  }
}

export class Config {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly references: References;
  readonly #entries: ReadonlyMap<KindName, Entries>;
  revision = 0;
  /** The problems that plugins find in settings inside an entity; set when the server opens its plugins. */
  askPlugin: PluginsView['askPlugin'] = () => [];
  isPartOfIdentity: PluginsView['isPartOfIdentity'] = () => undefined;
  /** How secrets stand in answers; set when the server has the key. */
  secrets: SecretWriters = hideSecrets;
  /** The ids that the texts of an entity name, of the kind that says so of itself; set when the server has the key. */
  idsInTexts: (entity: Entity) => ReadonlySet<string> = () => NO_IDS;
  /** The highest number that an entity was created with so far. */
  lastCreated = 0;

  constructor(kinds: readonly Kind[]) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.references = new References(this.kinds, (kindName, id) => this.#entriesOf(kindName)?.find(id)?.value);
    this.#entries = new Map(kinds.map((kind) => [kind.name, new Entries(kind)]));
  }

  kind<K extends KindName>(name: K): Kind<K> {
    // Each kind is kept under its own name.
    return this.kinds.get(name) as Kind<K>;
  }

  collection<K extends KindName>(name: K): Kind<K> & Collection {
    const kind = this.kind(name);
    if (kind.shape !== 'collection') throw new Error(`There is only one ${name}.`);
    return kind;
  }

  of<K extends KindName>(kindName: K): Entries<EntityNamed<K>, K> {
    const entries = this.#entriesOf(kindName);
    if (!entries) throw new Error(`There is no kind of configuration called ${kindName}.`);
    return entries;
  }

  #entriesOf<K extends KindName>(kindName: K): Entries<EntityNamed<K>, K> | undefined {
    // Entities of a kind are read and checked by the declaration that the registry has under its name.
    return this.#entries.get(kindName) as Entries<EntityNamed<K>, K> | undefined;
  }

  /** Puts an entry in its place, or removes the present one. */
  replace(kind: Kind, key: string, entry: Entry | undefined): void {
    const entries = this.of(kind.name);
    const before = entries.find(key);
    const indirectReferrers = this.references
      .indirectReferrers(kind, this.references.of(nameOf(kind, key)))
      .map((referrer) => ({ ...referrer, entity: this.of(referrer.kind.name).find(referrer.key)!.value }));
    for (const referrer of indirectReferrers) this.references.remove(referrer.kind, referrer.key, referrer.entity);
    if (before) this.references.remove(kind, key, before.value);
    entries.set(key, entry);
    if (entry) this.references.add(kind, key, entry.value);
    for (const referrer of indirectReferrers) this.references.add(referrer.kind, referrer.key, referrer.entity);
    this.lastCreated = Math.max(this.lastCreated, entry?.created ?? 0);
  }

  /** Finds the ids in the texts of all entities in slices, as encrypted ones take their time: they are remembered until they are asked for. */
  async prepareIdsInTexts(pause: Pause): Promise<void> {
    for (const entries of this.#entries.values()) {
      for (const { value } of entries.all()) {
        this.idsInTexts(value);
        await pause();
      }
    }
  }

  async copyFrom(other: Config, pause: Pause): Promise<void> {
    for (const [name, entries] of this.#entries) {
      entries.copyFrom(other.of(name));
      await pause();
    }
    await this.references.copyFrom(other.references, pause);
    this.lastCreated = other.lastCreated;
  }

  /** Takes over the changes made in a copy, all at once. */
  replaceWith(copy: Config): void {
    for (const [name, entries] of this.#entries) entries.replaceWith(copy.of(name));
    this.references.replaceWith(copy.references);
    this.lastCreated = copy.lastCreated;
  }
}

export async function loadConfig(kinds: readonly Kind[], query: Kysely<Tables>): Promise<Config> {
  const config = new Config(kinds);
  const loaded: { readonly kind: Kind; readonly entry: Entry }[] = [];
  // Put in order here: the database would copy all texts to sort them by their creation.
  for await (const { kind: name, key, value, etag, revision, created } of entityRows(query)) {
    const kind = config.kinds.get(name);
    if (!kind) throw new Error(`The database holds configuration of a kind this version does not know: ${name}.`);
    loaded.push({ kind, entry: { key, value: JSON.parse(value) as Entity, etag, revision, created } });
  }
  loaded.sort((one, other) => one.entry.created - other.entry.created);
  for (const { kind, entry } of loaded) config.replace(kind, entry.key, entry);
  const last = await query
    .selectFrom('revisions')
    .select((select) => select.fn.max('revision').as('revision'))
    .executeTakeFirst();
  config.revision = last?.revision ?? 0;
  return config;
}

/** Reads the rows by pages, so that the texts are not in memory all at once. */
async function* entityRows(query: Kysely<Tables>): AsyncGenerator<Readonly<EntityRow>> {
  const pages = query.selectFrom('entities').selectAll().orderBy('kind').orderBy('key').limit(ROWS_AT_ONCE);
  for (let last = { kind: '', key: '' }; ; ) {
    const { kind, key } = last;
    const following = pages.where((row) => row(row.refTuple('kind', 'key'), '>', row.tuple(kind, key)));
    const page = await following.execute();
    yield* page;
    if (page.length < ROWS_AT_ONCE) return;
    last = page.at(-1)!;
  }
}

// The document as a list of chunks: an edit renders only its own chunks anew, every other chunk stays the very same buffer.
import type { KindName } from '../../shape/configuration.ts';
import { isObject } from '../../shape/json/json.ts';
import {
  ELASTIC_CLOSE,
  type EntitiesOfKind,
  type EntityJson,
  GROUP_CLOSE,
  LISTS,
  ROOT_CLOSE,
  ROOT_OPEN,
  SERVER_KINDS,
  writeElasticOpen,
  writeEmptyElastic,
  writeEmptyGroup,
  writeGroupOpen,
  writeMember,
  writeServer,
} from '../xml/write.ts';
import { type Member, Members } from './members.ts';

/** An entity as it is from now on; without JSON it was removed. */
export interface DocumentEdit {
  readonly kind: KindName;
  readonly key: string;
  readonly created: number;
  readonly json: EntityJson | undefined;
  /** The element of the entity, for a kind whose elements depend on nothing else. */
  readonly chunk: Buffer | undefined;
}

/** Elements made of one entity. */
const SINGLE: ReadonlySet<KindName> = new Set([
  'elasticProfiles',
  'clusterProfiles',
  'scms',
  'configRepos',
  'artifactStores',
  'secretConfigs',
  'pipelines',
  'environments',
]);

/** Elements made of an entity and its members: the kind of the members, and where they name their owner. */
const COMPOSED: ReadonlyMap<KindName, { readonly kind: KindName; ownerOf(json: EntityJson): string }> = new Map([
  ['packageRepositories', { kind: 'packages', ownerOf: (json) => String((json.package_repo as EntityJson).id) }],
  ['templates', { kind: 'templateAuthorizations', ownerOf: (json) => String(json.template).toLowerCase() }],
]);
const OWNER_KIND = new Map(Array.from(COMPOSED, ([owner, { kind }]) => [kind, owner]));

const ORDER: readonly KindName[] = ['packageRepositories', 'scms', 'configRepos', 'artifactStores', 'secretConfigs'];
const ELASTIC_LISTS: readonly KindName[] = ['elasticProfiles', 'clusterProfiles'];

export const isInDocument = (kind: KindName): boolean =>
  SINGLE.has(kind) || SERVER_KINDS.has(kind) || COMPOSED.has(kind) || OWNER_KIND.has(kind) || kind === 'pipelineGroups';

/** The edit that puts an entity in its place. */
export function editOf(kind: KindName, key: string, created: number, json: EntityJson | undefined): DocumentEdit {
  if (json && isRemote(json)) return { kind, key, created, json: undefined, chunk: undefined };
  const chunk = json && SINGLE.has(kind) ? chunkOf(writeMember(kind, json, nothingRelated)) : undefined;
  return { kind, key, created, json, chunk };
}

/** Entities that config repos define are not in the file. */
function isRemote({ origin }: EntityJson): boolean {
  return isObject(origin) && origin.type === 'config_repo';
}

/** How an element begins, and how it is written with nothing in it. */
interface Opening {
  readonly open: Buffer;
  readonly empty: Buffer;
}

interface KeptEntity {
  readonly created: number;
  readonly json: EntityJson;
}

export class Document {
  readonly #members = new Map<KindName, Members>();
  /** Pipelines stand in their groups. */
  readonly #pipelines = new Map<string, Members>();
  readonly #groupOf = new Map<string, string>();
  /** Entities that are rendered together with others. */
  readonly #kept = new Map<KindName, Map<string, KeptEntity>>();
  /** The keys of the entities that are to be rendered anew. */
  readonly #touched = new Map<KindName, Set<string>>();
  readonly #openings = new Map<string, Opening & { readonly json: EntityJson }>();
  #server: Buffer | undefined;
  #elastic: Opening | undefined;

  copy(): Document {
    const copy = new Document();
    for (const [kind, members] of this.#members) copy.#members.set(kind, members.copy());
    for (const [group, members] of this.#pipelines) copy.#pipelines.set(group, members.copy());
    for (const [pipeline, group] of this.#groupOf) copy.#groupOf.set(pipeline, group);
    for (const [kind, kept] of this.#kept) copy.#kept.set(kind, new Map(kept));
    for (const [kind, keys] of this.#touched) copy.#touched.set(kind, new Set(keys));
    for (const [group, opening] of this.#openings) copy.#openings.set(group, opening);
    return copy;
  }

  apply(edit: DocumentEdit): void {
    const { kind, key, json, created } = edit;
    if (kind === 'pipelines') this.#applyPipeline(edit);
    else if (SINGLE.has(kind)) this.#applyMember(kind, edit);
    else if (isInDocument(kind)) {
      const kept = this.#kept.getOrInsertComputed(kind, () => new Map());
      const before = kept.get(key);
      if (json) kept.set(key, { created, json });
      else kept.delete(key);
      if (SERVER_KINDS.has(kind)) this.#server = this.#elastic = undefined;
      if (COMPOSED.has(kind)) this.#touch(kind, key);
      const owner = OWNER_KIND.get(kind);
      if (owner) for (const one of [before?.json, json]) if (one) this.#touch(owner, COMPOSED.get(owner)!.ownerOf(one));
    }
  }

  #applyPipeline(edit: DocumentEdit): void {
    const { key, json } = edit;
    const before = this.#groupOf.get(key);
    const group = json && String(json.group).toLowerCase();
    if (before !== undefined && before !== group) this.#pipelines.get(before)?.remove(key);
    if (group === undefined) this.#groupOf.delete(key);
    else {
      this.#groupOf.set(key, group);
      this.#pipelines.getOrInsertComputed(group, () => new Members()).set(memberOf(edit));
    }
  }

  #applyMember(kind: KindName, edit: DocumentEdit): void {
    const members = this.#members.getOrInsertComputed(kind, () => new Members());
    if (edit.json) members.set(memberOf(edit));
    else members.remove(edit.key);
  }

  #touch(kind: KindName, key: string): void {
    this.#touched.getOrInsertComputed(kind, () => new Set()).add(key);
  }

  /** Renders the elements that are made of several entities and have changed. */
  #compose(): void {
    for (const [kind, keys] of this.#touched) {
      const { kind: ownedKind, ownerOf } = COMPOSED.get(kind)!;
      const owned = Map.groupBy(this.#inOrder(ownedKind), ownerOf);
      const members = this.#members.getOrInsertComputed(kind, () => new Members());
      for (const key of keys) {
        const owner = this.#kept.get(kind)?.get(key);
        if (!owner) members.remove(key);
        else members.set({ key, created: owner.created, chunk: chunkOf(writeMember(kind, owner.json, () => owned.get(key) ?? [])) });
      }
    }
    this.#touched.clear();
  }

  #inOrder(kind: KindName): EntityJson[] {
    const kept = [...(this.#kept.get(kind)?.values() ?? [])];
    return kept.sort((one, other) => one.created - other.created).map(({ json }) => json);
  }

  readonly #related: EntitiesOfKind = (kind) => this.#inOrder(kind);

  chunks(): Buffer[] {
    this.#compose();
    this.#server ??= chunkOf(writeServer(this.#related));
    const chunks: Buffer[] = [ROOT_OPEN_CHUNK];
    if (this.#server.length > 0) chunks.push(this.#server);
    this.#addElastic(chunks);
    for (const kind of ORDER) this.#addList(chunks, kind);
    this.#addGroups(chunks);
    this.#addList(chunks, 'templates');
    this.#addList(chunks, 'environments');
    chunks.push(ROOT_CLOSE_CHUNK);
    return chunks;
  }

  #addElastic(chunks: Buffer[]): void {
    this.#elastic ??= { open: chunkOf(writeElasticOpen(this.#related)), empty: chunkOf(writeEmptyElastic(this.#related)) };
    const hasProfiles = ELASTIC_LISTS.some((kind) => this.#members.get(kind)?.size);
    if (!hasProfiles) {
      if (this.#elastic.empty.length > 0) chunks.push(this.#elastic.empty);
      return;
    }
    chunks.push(this.#elastic.open);
    for (const kind of ELASTIC_LISTS) this.#addList(chunks, kind);
    chunks.push(ELASTIC_CLOSE_CHUNK);
  }

  #addList(chunks: Buffer[], kind: KindName): void {
    const members = this.#members.get(kind);
    if (!members || members.size === 0) return;
    const { open, close } = LIST_CHUNKS.get(kind)!;
    chunks.push(open);
    for (const { chunk } of members.inOrder()) chunks.push(chunk);
    chunks.push(close);
  }

  #addGroups(chunks: Buffer[]): void {
    const groups = [...(this.#kept.get('pipelineGroups') ?? [])].sort(([, one], [, other]) => one.created - other.created);
    for (const [key, { json }] of groups) {
      const opening = this.#openingOf(key, json);
      const pipelines = this.#pipelines.get(key);
      if (!pipelines || pipelines.size === 0) {
        chunks.push(opening.empty);
        continue;
      }
      chunks.push(opening.open);
      for (const { chunk } of pipelines.inOrder()) chunks.push(chunk);
      chunks.push(GROUP_CLOSE_CHUNK);
    }
  }

  #openingOf(key: string, json: EntityJson) {
    const known = this.#openings.get(key);
    if (known?.json === json) return known;
    const opening = { json, open: chunkOf(writeGroupOpen(json)), empty: chunkOf(writeEmptyGroup(json)) };
    this.#openings.set(key, opening);
    return opening;
  }
}

/** In memory of its own: a buffer from the shared pool keeps whole pieces of it, half of them unused. */
function chunkOf(text: string): Buffer {
  const chunk = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  chunk.write(text);
  return chunk;
}

const nothingRelated: EntitiesOfKind = () => [];
const ROOT_OPEN_CHUNK = chunkOf(ROOT_OPEN);
const ROOT_CLOSE_CHUNK = chunkOf(ROOT_CLOSE);
const ELASTIC_CLOSE_CHUNK = chunkOf(ELASTIC_CLOSE);
const GROUP_CLOSE_CHUNK = chunkOf(GROUP_CLOSE);
const LIST_CHUNKS = new Map(Object.entries(LISTS).map(([kind, { open, close }]) => [kind, { open: chunkOf(open), close: chunkOf(close) }]));

function memberOf({ key, created, chunk }: DocumentEdit): Member {
  return { key, created, chunk: chunk! };
}

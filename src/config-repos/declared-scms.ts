// The SCMs that pipelines of a config repo declare on the spot: which SCM each of them stands for, and which go when nobody declares them.
import type { Draft } from '../config/draft.ts';
import { remoteOrigin } from '../config/remote.ts';
import type { DefinedPipeline } from '../contracts/plugins/config-repo.ts';
import { sha256 } from '../kit/hash.ts';
import { type ReadingTools, readEntity } from '../shape/entity-json.ts';
import type { JsonObject } from '../shape/json.ts';
import type { Path } from '../shape/problem.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import { handOver } from './hand-over.ts';
import type { Publication } from './publication.ts';
import type { Definition } from './withdraw.ts';

/** Where an SCM is declared. */
export interface Declaration {
  readonly defined: DefinedPipeline;
  readonly at: Path;
}

export class DeclaredScms {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly #tools: ReadingTools;
  readonly #kind: Kind;
  readonly #first = new Map<string, Declaration>();

  constructor(draft: Draft, publication: Publication, tools: ReadingTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.#tools = tools;
    this.#kind = draft.kindNamed('scms')!;
  }

  /** Those that this publication owns, by id, each where it is declared first. */
  get first(): ReadonlyMap<string, Declaration> {
    return this.#first;
  }

  /** The id of the SCM that is meant: an equal one that is there already, whoever owns it, or a new one of this repo. */
  idOf(scm: JsonObject, declaration: Declaration): string {
    const { repo } = this.#publication;
    const { file } = declaration.defined;
    const read = readEntity(this.#kind, { ...scm, id: '' }, { seen: this.#draft.seen, isSealed: true }, this.#tools);
    const [mark] = this.#kind.marks?.(read.entity as never) ?? [];
    const identity = mark ?? withoutSettings(repo, read.entity);
    const known = mark === undefined ? this.#found(idFor(identity)) : this.#kind.twin?.(read.entity as never, this.#draft.seen);
    if (known !== undefined && !this.#isToBePlaced(known)) return known;
    const id = known ?? this.#freeId(identity);
    this.#first.set(id, declaration);
    this.#draft.put(this.#kind, id, { ...read.entity, id, origin: { repo, file } }, read.problems);
    return id;
  }

  /** When all pipelines are placed: an SCM stays as long as somebody declares it, and belongs to whoever does. */
  settle(before: Iterable<Definition>): void {
    const { isInForce } = this.#publication;
    for (const { kind, id } of before) {
      const origin = kind === this.#kind && !this.#first.has(id) ? this.#originOf(id) : undefined;
      if (!origin) continue;
      if (this.#draft.referrers(kind.name, id).length === 0) this.#draft.remove(kind, id);
      else if (!isInForce(origin.file)) handOver(this.#draft, kind, this.#draft.find(kind, id)!.value);
    }
  }

  /** One of this repo comes out of the file that declares it first. Of what is in force, and of what others have, nothing is read again. */
  #isToBePlaced(id: string): boolean {
    const { repo, isInForce } = this.#publication;
    const origin = this.#originOf(id);
    return origin?.repo === repo && !isInForce(origin.file) && !this.#first.has(id);
  }

  #originOf(id: string): ReturnType<typeof remoteOrigin> {
    return remoteOrigin(this.#draft.find(this.#kind, id)?.value ?? {});
  }

  #found(id: string): string | undefined {
    return this.#draft.find(this.#kind, id) && id;
  }

  /** Somebody may have given an SCM of the server's own configuration an id that was seen here. */
  #freeId(identity: string): string {
    for (let attempt = 0; ; attempt++) {
      const id = idFor(attempt === 0 ? identity : `${identity}\n${attempt}`);
      if (this.#found(id) === undefined) return id;
    }
  }
}

/** Those that point at nothing are told apart by who calls them what. */
function withoutSettings(repo: string, { name, pluginMetadata }: Entity): string {
  return ['scm', (pluginMetadata as { id: string }).id, '', repo, String(name).toLowerCase()].join('\n');
}

/** The same for the same settings, so that publishing again changes nothing, and other settings are never mistaken for them. */
function idFor(identity: string): string {
  const digest = sha256(identity);
  return [8, 4, 4, 4, 12].map((length, part) => digest.slice(part * 12, part * 12 + length)).join('-');
}

// The SCMs that pipelines of a config repo declare inline: which SCM each declaration stands for.
import type { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { type ReadingTools, readEntity } from '../../shape/json/entity-json.ts';
import { type JsonObject, scalarText } from '../../shape/json/json.ts';
import type { Path, Problem } from '../../shape/problems/problem.ts';
import type { Kind } from '../../shape/resource.ts';
import type { Publication } from '../publish/publication.ts';

/** Where an SCM is declared. */
export interface Declaration {
  readonly defined: DefinedPipeline;
  /** The name under which the pipeline is in the draft. */
  readonly pipeline: string;
  readonly at: Path;
}

/** The SCM of a declaration. */
export interface DeclaredScm extends Declaration {
  readonly scm: EntityNamed<'scms'>;
  /** The problems found while reading it. */
  readonly problems: readonly Problem[];
}

/** The declarations by the id of the SCM, in the order in which they were applied. */
export type DeclaredScmsById = ReadonlyMap<string, readonly DeclaredScm[]>;

export class DeclaredScms {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly #tools: ReadingTools;
  readonly #kind: Kind<'scms'>;
  readonly #all = new Map<string, DeclaredScm[]>();

  constructor(draft: Draft, publication: Publication, tools: ReadingTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.#tools = tools;
    this.#kind = draft.kind('scms');
  }

  /** The SCMs that this publication declares. */
  get all(): DeclaredScmsById {
    return this.#all;
  }

  /** The id of the declared SCM: of an equal one that exists already, in any repo or on the server, or of a new one of this repo. */
  idOf(json: JsonObject, declaration: Declaration): string {
    const { group } = declaration.defined;
    const file = { configRepo: this.#publication.repo, pipelineGroup: group };
    const current = this.#before(declaration.pipeline, scalarText(json.name));
    const { entity, problems } = readEntity(
      this.#kind,
      { ...json, id: '' },
      { ruleView: this.#draft.ruleView, current, isSealed: true, file },
      this.#tools,
    );
    const id = this.#known(entity) ?? this.#addToDraft(entity, problems, declaration.defined.file);
    this.#all.getOrInsertComputed(id, () => []).push({ ...declaration, scm: entity, problems });
    return id;
  }

  /** The SCM that the same pipeline has declared under this name until now: its secrets were entered for the address of that one. */
  #before(pipeline: string, name: string): EntityNamed<'scms'> | undefined {
    const published = this.#draft.findEntity('pipelines', pipeline);
    const origin = published && repoOriginOf(published);
    if (origin?.repo !== this.#publication.repo) return undefined;
    const [id] = Object.entries(origin.scms ?? {}).find(([, called]) => called === name) ?? [];
    return id === undefined ? undefined : this.#draft.findEntity('scms', id);
  }

  #known(scm: EntityNamed<'scms'>): string | undefined {
    const [tag] = this.#kind.tags?.(scm) ?? [];
    return tag === undefined ? this.#found(idFor(this.#identityOf(scm))) : this.#kind.sameAs?.(scm, this.#draft.ruleView);
  }

  #addToDraft(scm: EntityNamed<'scms'>, problems: readonly Problem[], file: string): string {
    const id = this.#freeId(this.#identityOf(scm));
    this.#draft.put(this.#kind, id, { ...scm, id, origin: { repo: this.#publication.repo, file } }, problems);
    return id;
  }

  /** An SCM without settings that identify it is identified by its config repo and its name. */
  #identityOf(scm: EntityNamed<'scms'>): string {
    const [tag] = this.#kind.tags?.(scm) ?? [];
    return tag ?? ['scm', scm.pluginMetadata.id, '', this.#publication.repo, scm.name.toLowerCase()].join('\n');
  }

  #found(id: string): string | undefined {
    return this.#draft.find(this.#kind, id) && id;
  }

  /** A user may have given the same id to an SCM of the server's own configuration. */
  #freeId(identity: string): string {
    for (let attempt = 0; ; attempt++) {
      const id = idFor(attempt === 0 ? identity : `${identity}\n${attempt}`);
      if (this.#found(id) === undefined) return id;
    }
  }
}

/** Equal settings get the same id, so that publishing again changes nothing; other settings get another one. */
function idFor(identity: string): string {
  const digest = sha256(identity);
  return [8, 4, 4, 4, 12].map((length, part) => digest.slice(part * 12, part * 12 + length)).join('-');
}

// The two materials of a definition that only the server understands: the repository it stands in, and an SCM declared inline.
import type { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import type { ReadingTools } from '../../shape/json/entity-json.ts';
import { isObject, type Json, type JsonObject, scalarText } from '../../shape/json/json.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { DeclaredScms } from '../scms/declared-scms.ts';
import type { Publication } from './publication.ts';

export interface ResolvedMaterials {
  readonly json: JsonObject;
  readonly problems: readonly Problem[];
  /** The names of SCMs and packages there, by id. */
  readonly scms: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, string>>;
}

export class MaterialsOfRepo {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly scms: DeclaredScms;

  constructor(draft: Draft, publication: Publication, tools: ReadingTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.scms = new DeclaredScms(draft, publication, tools);
  }

  resolve(body: JsonObject, defined: DefinedPipeline): ResolvedMaterials {
    const { materials } = body;
    const problems: Problem[] = [];
    const scms: Record<string, string> = {};
    const packages: Record<string, string> = {};
    if (!Array.isArray(materials)) return { json: body, problems, scms, packages };
    const resolved = materials.map((material, index) => {
      if (!isObject(material) || !isObject(material.attributes)) return material;
      if (material.type === 'configrepo') return this.#ofRepo(material.attributes);
      if (material.type === 'plugin' && isObject(material.attributes.scm)) {
        const { scm, ...attributes } = material.attributes;
        const ref = this.scms.idOf(scm, { defined, pipeline: String(body.name), at: ['materials', index, 'attributes', 'scm'] });
        scms[ref] = scalarText(scm.name);
        return { type: 'plugin', attributes: { ...attributes, ref } };
      }
      const ref = scalarText(material.attributes.ref);
      const named = material.type === 'plugin' ? scms : material.type === 'package' ? packages : undefined;
      if (named && material.attributes.name) named[ref] = scalarText(material.attributes.name);
      const unknown = this.#unknown(material.type, ref);
      if (unknown !== undefined) problems.push({ at: ['materials', index, 'attributes', 'ref'], message: unknown });
      return material;
    });
    return { json: { ...body, materials: resolved }, problems, scms, packages };
  }

  /** The message about an SCM or a package that does not exist; undefined: it does, or the material is of another type. */
  #unknown(type: Json | undefined, ref: string): string | undefined {
    if (type === 'plugin' && !this.#isOwnScm(ref)) return `Failed to find referenced scm '${ref}'`;
    if (type === 'package' && !this.#draft.findEntity('packages', ref)) return `Failed to find package repository with package id '${ref}'`;
    return undefined;
  }

  /** An SCM that a config repo declares can go at any time, so files cannot refer to its id: pipelines that declare the same share it. */
  #isOwnScm(id: string): boolean {
    const scm = this.#draft.findEntity('scms', id);
    return scm !== undefined && repoOriginOf(scm) === undefined;
  }

  #ofRepo(overrides: JsonObject): Json {
    const { type, attributes } = this.#publication.material;
    return { type: type!, attributes: { ...(attributes as JsonObject), ...overrides } };
  }
}

// The two materials of a definition that only the server understands: the repository it stands in, and an SCM declared on the spot.
import type { Draft } from '../config/draft.ts';
import { remoteOrigin } from '../config/remote.ts';
import type { DefinedPipeline } from '../contracts/plugins/config-repo.ts';
import type { ReadingTools } from '../shape/entity-json.ts';
import { isObject, type Json, type JsonObject, scalarText } from '../shape/json.ts';
import type { Problem } from '../shape/problem.ts';
import { type Declaration, DeclaredScms } from './declared-scms.ts';
import type { Publication } from './publication.ts';

export class MaterialsOfRepo {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly scms: DeclaredScms;

  constructor(draft: Draft, publication: Publication, tools: ReadingTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.scms = new DeclaredScms(draft, publication, tools);
  }

  resolve(body: JsonObject, defined: DefinedPipeline): { readonly json: JsonObject; readonly problems: readonly Problem[] } {
    const { materials } = body;
    if (!Array.isArray(materials)) return { json: body, problems: [] };
    const problems: Problem[] = [];
    const resolved = materials.map((material, index) => {
      if (!isObject(material) || !isObject(material.attributes)) return material;
      if (material.type === 'configrepo') return this.#ofRepo(material.attributes);
      if (material.type === 'plugin' && isObject(material.attributes.scm))
        return this.#declared(material.attributes, material.attributes.scm, { defined, at: ['materials', index, 'attributes', 'scm'] });
      const unknown = this.#unknown(material.type, scalarText(material.attributes.ref));
      if (unknown !== undefined) problems.push({ at: ['materials', index, 'attributes', 'ref'], message: unknown });
      return material;
    });
    return { json: { ...body, materials: resolved }, problems };
  }

  /** What is said of an SCM or a package that is not there; undefined: it is, or the material is of another type. */
  #unknown(type: Json | undefined, ref: string): string | undefined {
    if (type === 'plugin' && !this.#isOwnScm(ref)) return `Failed to find referenced scm '${ref}'`;
    if (type === 'package' && !this.#draft.findEntity('packages', ref)) return `Failed to find package repository with package id '${ref}'`;
    return undefined;
  }

  /** An SCM that a config repo declares can go at any time, so nobody else can count on its id: who declares the same shares it. */
  #isOwnScm(id: string): boolean {
    const scm = this.#draft.findEntity('scms', id);
    return scm !== undefined && remoteOrigin(scm) === undefined;
  }

  #ofRepo(said: JsonObject): Json {
    const { type, attributes } = this.#publication.material;
    return { type: type!, attributes: { ...(attributes as JsonObject), ...said } };
  }

  #declared({ scm: _, ...attributes }: JsonObject, scm: JsonObject, declaration: Declaration): Json {
    return { type: 'plugin', attributes: { ...attributes, ref: this.scms.idOf(scm, declaration) } };
  }
}

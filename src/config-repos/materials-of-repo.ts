// The two materials of a definition that only the server understands: the repository it stands in, and an SCM declared on the spot.
import type { Draft } from '../config/draft.ts';
import type { Body } from '../contracts/plugins/config-repo.ts';
import { sha256 } from '../kit/hash.ts';
import { type ReadingTools, readEntity } from '../shape/entity-json.ts';
import { isObject, type Json, type JsonObject, scalarText } from '../shape/json.ts';
import type { Path, Problem } from '../shape/problem.ts';
import type { Publication } from './publication.ts';

export class MaterialsOfRepo {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly #tools: ReadingTools;

  constructor(draft: Draft, publication: Publication, tools: ReadingTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.#tools = tools;
  }

  resolve(body: JsonObject, file: string): { readonly json: JsonObject; readonly problems: readonly Problem[] } {
    const { materials } = body;
    if (!Array.isArray(materials)) return { json: body, problems: [] };
    const problems: Problem[] = [];
    const resolved = materials.map((material, index) => {
      if (!isObject(material) || !isObject(material.attributes)) return material;
      if (material.type === 'configrepo') return this.#ofRepo(material.attributes);
      if (material.type === 'plugin' && isObject(material.attributes.scm))
        return this.#declared(material.attributes, material.attributes.scm, file);
      const unknown = this.#unknown(material.type, scalarText(material.attributes.ref));
      if (unknown !== undefined) problems.push({ at: ['materials', index, 'attributes', 'ref'], message: unknown });
      return material;
    });
    return { json: { ...body, materials: resolved }, problems };
  }

  /** What is said of an SCM or a package that is not there; undefined: it is, or the material is of another type. */
  #unknown(type: Json | undefined, ref: string): string | undefined {
    if (type === 'plugin' && !this.#draft.findEntity('scms', ref)) return `Failed to find referenced scm '${ref}'`;
    if (type === 'package' && !this.#draft.findEntity('packages', ref)) return `Failed to find package repository with package id '${ref}'`;
    return undefined;
  }

  #ofRepo(said: JsonObject): Json {
    const { type, attributes } = this.#publication.material;
    return { type: type!, attributes: { ...(attributes as JsonObject), ...said } };
  }

  #declared({ scm: _, ...attributes }: JsonObject, scm: JsonObject, file: string): Json {
    return { type: 'plugin', attributes: { ...attributes, ref: this.#idOf(scm, file) } };
  }

  /** One with the same settings that is known already is used instead. */
  #idOf(scm: JsonObject, file: string): string {
    const kind = this.#draft.kindNamed('scms')!;
    const { repo } = this.#publication;
    const id = idFor(repo, scalarText(scm.name));
    const against = { seen: this.#draft.seen, current: this.#draft.find(kind, id)?.value, isSealed: true };
    const { entity, problems } = readEntity(kind, { ...scm, id }, against, this.#tools);
    const known = (kind.marks?.(entity as never) ?? []).flatMap((mark) => this.#draft.marked(mark)).find((other) => other.id !== id);
    if (!known) this.#draft.put(kind, id, { ...entity, origin: { repo, file } }, problems);
    return known?.id ?? id;
  }
}

/** The SCMs that a definition declares on the spot, by the ids they get, with their places in it. */
export function declaredScms(repo: string, { materials }: Body): { readonly id: string; readonly at: Path }[] {
  if (!Array.isArray(materials)) return [];
  return materials.flatMap((material, index) => {
    const scm = isObject(material) && isObject(material.attributes) ? material.attributes.scm : undefined;
    return isObject(scm) ? [{ id: idFor(repo, scalarText(scm.name)), at: ['materials', index, 'attributes', 'scm'] }] : [];
  });
}

/** The same for the same repo and name, so that publishing again changes nothing. */
function idFor(repo: string, name: string): string {
  const digest = sha256(`${repo}\n${name.toLowerCase()}`);
  return [8, 4, 4, 4, 12].map((length, part) => digest.slice(part * 12, part * 12 + length)).join('-');
}

// An entity as JSON: read from a request's body, written into an answer.
import type { Cipher } from '../kit/cipher.ts';
import { type EntityOf, type Fields, readFields, writeFields } from './field.ts';
import type { Json, JsonObject, JsonOut } from './json.ts';
import { secretsIn } from './keep-secrets.ts';
import type { Problem } from './problem.ts';
import type { Reading } from './reading.ts';
import { addressOf, type Entity, type LinkName, type Resource } from './resource.ts';
import { reseal, type Secret, seal } from './secret.ts';

/** Tells whether a setting of an installed plugin is secret; undefined for a plugin that is not installed. */
export type SecretSettings = (pluginId: string | undefined, plugin: NonNullable<Resource['plugin']>, key: string) => boolean | undefined;

export interface ReadingTools {
  readonly cipher: Cipher;
  readonly isSecretSetting: SecretSettings;
}

/** What a body is read against. */
export interface ReadAgainst {
  readonly seen: unknown;
  /** The entity as it is now: a secret that it has already is not encrypted anew. */
  readonly current?: Entity | undefined;
}

export function readingFor(resource: Resource, sofar: Entity, { seen, current }: ReadAgainst, tools: ReadingTools): Reading {
  const { plugin } = resource;
  const known = current ? secretsIn(current) : NO_SECRETS;
  return {
    problems: [],
    seal: (plain) => known.get(tools.cipher.digest(plain)) ?? seal(plain, tools.cipher),
    reseal: (cipherText) => reseal(cipherText, tools.cipher),
    isSecretSetting: (key) => {
      if (!plugin) return undefined;
      const pluginId = plugin.of(sofar, seen);
      // Without the name of a plugin nobody can tell what is secret; such an entity is refused, and its settings are not echoed.
      return pluginId === '' ? true : tools.isSecretSetting(pluginId, plugin, key);
    },
  };
}

const NO_SECRETS: ReadonlyMap<string, Secret> = new Map();

export function readEntity(
  resource: Resource,
  body: JsonObject,
  against: ReadAgainst,
  tools: ReadingTools,
): { entity: Entity; problems: Problem[] } {
  // Fields are read in the order of their declaration, so a setting can ask which plugin the entity named before it.
  const sofar: Record<string, unknown> = {};
  const reading = readingFor(resource, sofar, against, tools);
  for (const [name, field] of Object.entries(resource.fields)) {
    Object.assign(sofar, readFields({ [name]: field }, body, [], reading));
  }
  return { entity: sofar, problems: reading.problems };
}

/** Without a base there are no links: that is the form in answers to failed requests. */
export function writeEntity(resource: Resource, entity: Entity, base?: string): JsonOut {
  const fields = writeFields(resource.fields as Fields, entity as EntityOf<Fields>, { base });
  return base === undefined ? fields : { _links: linksOf(resource, base, resource.links, addressOf(resource, entity)), ...fields };
}

export function linksOf(resource: Resource, base: string, names: readonly LinkName[], id?: string): JsonOut {
  const collectionPath = base + resource.path;
  const address = {
    self: resource.shape === 'singleton' || id === undefined ? collectionPath : `${collectionPath}/${encodeURIComponent(id)}`,
    doc: `${base}/api/docs#${resource.doc}`,
    find: resource.shape === 'singleton' ? collectionPath : `${collectionPath}/:${resource.idParameter}`,
  };
  const links: Record<string, Json> = {};
  for (const name of names) links[name] = { href: address[name] };
  return links;
}

// An entity as JSON: read from a request's body, written into an answer.
import type { Cipher } from '../kit/cipher.ts';
import { type EntityOf, type Fields, readFields, writeFields } from './field.ts';
import type { Json, JsonObject, JsonOut } from './json.ts';
import { secretsIn } from './keep-secrets.ts';
import type { Problem } from './problem.ts';
import type { Property } from './properties.ts';
import type { Reading } from './reading.ts';
import { addressOf, type Entity, type LinkName, type Resource } from './resource.ts';
import { isSecret, reseal, type Secret, seal } from './secret.ts';

/** Tells whether a setting of an installed plugin is secret; undefined for a plugin that is not installed. */
export type SecretSettings = (pluginId: string | undefined, plugin: NonNullable<Resource['plugin']>, key: string) => boolean | undefined;

export interface ReadingTools {
  readonly cipher: Cipher;
  /** Opens what another server has encrypted, if the key of that one is known here. */
  readonly openForeign: (cipherText: string) => string | undefined;
  readonly isSecretSetting: SecretSettings;
}

/** What a body is read against. */
export interface ReadAgainst {
  readonly seen: unknown;
  /** The entity as it is now: a secret that it has already is not encrypted anew. */
  readonly current?: Entity | undefined;
  /** The body is in the form of documents: any setting of a plugin may stand in it as cipher text. */
  readonly isSealed?: boolean;
}

export function readingFor(resource: Resource, sofar: Entity, { seen, current, isSealed }: ReadAgainst, tools: ReadingTools): Reading {
  const { plugin } = resource;
  const known = current ? secretsIn(current) : NO_SECRETS;
  const sealed = (plain: string) => {
    const digest = tools.cipher.digest(plain);
    return known.get(digest) ?? seal(plain, tools.cipher, digest);
  };
  return {
    problems: [],
    seal: sealed,
    reseal: (cipherText, fits) => {
      const own = reseal(cipherText, tools.cipher, fits);
      const plain = own ? undefined : tools.openForeign(cipherText);
      return plain === undefined || fits?.(plain) === false ? own : sealed(plain);
    },
    isStored: ({ digest }) => known.has(digest),
    isSecretSetting: (key) => {
      if (!plugin) return undefined;
      const pluginId = plugin.of(sofar, seen);
      // Without the name of a plugin nobody can tell what is secret; such an entity is refused, and its settings are not echoed.
      return pluginId === '' ? true : tools.isSecretSetting(pluginId, plugin, key);
    },
    isStoredSetting: (key, secret) => {
      if (isSealed) return true;
      const stored = plugin && (current?.[plugin.settings] as readonly Property[] | undefined);
      return stored?.some((one) => one.key === key && isSecret(one.value) && one.value.digest === secret.digest) ?? false;
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

/** The form in documents: all that is needed to read the same entity again, and no secret in clear. */
export function writeSealed(resource: Resource, entity: Entity): JsonOut {
  return writeFields(resource.fields as Fields, entity as EntityOf<Fields>, { base: undefined, isSealed: true });
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

// An entity as JSON: read from a request's body, written into an answer.
import type { Cipher, OpenedText } from '../../kit/bytes/cipher.ts';
import type { EntityNamed, KindName } from '../configuration.ts';
import { readInto, writeFields } from '../field.ts';
import type { Problem } from '../problems/problem.ts';
import { addressOf, type Entity, type LinkName, type Resource, type RuleView, settingsIn } from '../resource.ts';
import { secretsIn } from '../secrets/keep-secrets.ts';
import { isSecret, refusedSecret, type Secret, type SecretWriter, seal } from '../secrets/secret.ts';
import { type FileScopes, SecretGuard } from '../secrets/secret-guard.ts';
import { type SecretWriters, STORED, showBoundSecrets } from '../secrets/secret-writer.ts';
import type { Json, JsonObject, JsonOut } from './json.ts';
import type { Reading } from './reading.ts';

/** Whether a setting of an installed plugin is secret; undefined for a plugin that is not installed. */
export type SecretSettings = (pluginId: string | undefined, plugin: NonNullable<Resource['plugin']>, key: string) => boolean | undefined;

export interface ReadingTools {
  readonly cipher: Cipher;
  /** Opens a cipher text of another server, if the key of that server is known here. */
  readonly openImported: (cipherText: string) => OpenedText | undefined;
  readonly isSecretSetting: SecretSettings;
}

/** In one entity. Encrypting each, and opening it again to be shown, blocks the event loop. */
const MAX_SECRETS = 2000;
const TOO_MANY_SECRETS = `This has more than ${MAX_SECRETS} secrets. Take some of them away, or refer to a secret configuration instead.`;

/** The context in which a body is read. */
export interface ReadAgainst {
  readonly ruleView: RuleView;
  /** The entity as it is now: a secret that it has already is not encrypted anew. */
  readonly current?: Entity | undefined;
  /** The body is in the form of documents: any setting of a plugin may stand in it as cipher text. */
  readonly isSealed?: boolean;
  /** The file of a config repo that the body comes from. Absent: a client has sent it, or the server has made it. */
  readonly file?: FileScopes;
  /** Former states: the destinations of their secrets count as well as those of the current state. */
  readonly former?: readonly Entity[];
  /** System administrators may send a stored secret to another address. */
  readonly mayMoveSecrets?: boolean;
}

export function readingFor(resource: Resource, partial: Entity, against: ReadAgainst, tools: ReadingTools): Reading {
  const { plugin } = resource;
  const { ruleView, current, isSealed } = against;
  const { cipher } = tools;
  const known = current ? secretsIn(current) : NO_SECRETS;
  const sealed = (plain: string) => {
    const digest = cipher.digest(plain);
    return known.get(digest) ?? seal(plain, cipher, digest);
  };
  const problems: Problem[] = [];
  let secrets = 0;
  const exceedsSecretLimit = () => {
    if (++secrets === MAX_SECRETS + 1)
      problems.push({ at: resource.shape === 'collection' ? [resource.id] : [], message: TOO_MANY_SECRETS });
    return secrets > MAX_SECRETS;
  };
  const open = (cipherText: string) => cipher.open(cipherText) ?? tools.openImported(cipherText);
  const guard = new SecretGuard(resource, partial, against, cipher);
  return {
    problems,
    seal: (plain) => (exceedsSecretLimit() ? refusedSecret('') : sealed(plain)),
    unseal: (cipherText, at, fits) => {
      if (exceedsSecretLimit()) return refusedSecret('');
      const opened = open(cipherText);
      if (!opened || fits?.(opened.plain) === false) return 'undecryptable';
      const digest = cipher.digest(opened.plain);
      const own = cipher.isOwn(cipherText) ? opened.portable : undefined;
      return guard.refusalOf(opened, digest, at) ?? (own === undefined ? sealed(opened.plain) : { cipherText: own, digest });
    },
    peek: (cipherText) => open(cipherText)?.plain,
    mayKeep: (masked, at) => {
      const stored = known.get(masked);
      return !stored || !guard.isMoved(stored.digest, at);
    },
    get secrets() {
      return showBoundSecrets(cipher)(resource, partial);
    },
    isStored: ({ digest }) => known.has(digest),
    isSecretSetting: (key) => {
      if (!plugin) return undefined;
      const pluginId = plugin.of(partial, ruleView);
      // Without the name of a plugin it is not known which settings are secret; such an entity is refused, and they are not echoed.
      return pluginId === '' ? true : tools.isSecretSetting(pluginId, plugin, key);
    },
    isStoredSetting: (key, secret) => {
      if (isSealed) return true;
      if (!plugin || !current) return false;
      return settingsIn(current, plugin).some((one) => one.key === key && isSecret(one.value) && one.value.digest === secret.digest);
    },
  };
}

const NO_SECRETS: ReadonlyMap<string, Secret> = new Map();

export function readEntity<K extends KindName>(
  resource: Resource & { readonly name?: K },
  body: JsonObject,
  against: ReadAgainst,
  tools: ReadingTools,
): { entity: EntityNamed<K>; problems: Problem[] } {
  // Fields are read in the order of their declaration, so a setting can ask which plugin the entity named before it.
  const entity: Record<string, unknown> = {};
  const reading = readingFor(resource, entity, against, tools);
  readInto(entity, resource.fields, { holder: body, path: [], reading });
  // An entity of a kind is what the fields of its declaration read.
  return { entity: entity as EntityNamed<K>, problems: reading.problems };
}

/** The JSON form of an entity. Without a base it has no links: that is the form in answers to failed requests. */
export function writeEntity(resource: Resource, entity: Entity, secrets: SecretWriters, base?: string): JsonOut {
  const fields = writeFields(resource.fields, entity, { base, secrets: secrets(resource, entity) });
  return base === undefined ? fields : { _links: linksOf(resource, base, resource.links, addressOf(resource, entity)), ...fields };
}

/** The form in documents: all that is needed to read the same entity again, and no secret in clear. */
export function writeSealed(resource: Resource, entity: Entity, secrets: SecretWriter = STORED): JsonOut {
  return writeFields(resource.fields, entity, { base: undefined, isSealed: true, secrets });
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

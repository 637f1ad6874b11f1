// Limits the paths of this machine that users may name: system administrators any, other users only paths in the folders of a setting.
import type { Rightholder } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import type { AuthoredCheck, Changes } from '../../config/change.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { isGenerallyAllowed } from '../../materials/addresses/generally-allowed.ts';
import type { ConfiguredPipeline, ConfiguredScm, WrittenMaterial } from '../../materials/catalogue/configured-types.ts';
import { fingerprintOf, type Identity } from '../../materials/catalogue/fingerprint.ts';
import { identityOf, identityOfDefinition, type MaterialTools } from '../../materials/catalogue/identity.ts';
import type { PluginHost } from '../../plugins/host.ts';
import type { KindName } from '../../shape/configuration.ts';
import { isOfKind } from '../../shape/is-of-kind.ts';
import type { Path, Problem } from '../../shape/problems/problem.ts';
import type { Entity } from '../../shape/resource.ts';
import { materialTools } from './material-tools.ts';

export interface LocalMaterialParts {
  readonly folders: readonly string[];
  readonly tools: MaterialTools;
  /** The settings of an SCM that say where it is. */
  addressKeys(pluginId: string): readonly string[];
  /** Whether a user is a system administrator, and uses no token that is limited to less. */
  isAdmin(identity: Rightholder): boolean;
}

interface OpenParts {
  readonly folders: readonly string[];
  readonly changes: Pick<Changes, 'addCheck'>;
  readonly cipher: Cipher;
  readonly plugins: PluginHost;
  readonly access: Access;
}

export function openLocalMaterials({ folders, changes, cipher, plugins, access }: OpenParts): LocalMaterialParts {
  const parts = {
    folders,
    tools: materialTools(cipher, plugins),
    addressKeys: (pluginId: string) => plugins.addressKeys(pluginId, 'scm'),
    isAdmin: (identity: Rightholder) => access.isAdmin(identity),
  };
  changes.addCheck(keepsLocalPaths(parts));
  return parts;
}

/** A change of one entity. */
interface EntityChange {
  readonly kind: KindName;
  readonly before: Entity | undefined;
  readonly after: Entity;
}

/** One place that an entity names. */
interface NamedPlace {
  readonly at: Path;
  readonly type: string;
  readonly url: string;
  /** The fingerprint: the same for the same repository and the same part of it. */
  readonly identity: string;
}

/** The words do not depend on whether anything is at the path. */
const REFUSED =
  'A path of the machine of the server may be used here only below a folder of SLIPWAY_LOCAL_REPOSITORIES (--local-repositories), or when a system administrator enters it.';

/** Checks every save by its author. Paths that are stored already may be sent again; definitions of config repos come from no user. */
function keepsLocalPaths(parts: LocalMaterialParts): AuthoredCheck {
  return ({ kind, before, after }, draft, { actor, address, isLimited = false }) => {
    if (!after) return [];
    const origin = repoOriginOf(after.value);
    // A pipeline of a config repo may have the repository itself as a material, wherever that is.
    if (origin)
      return outside(kind.name, after.value, { kind: 'configRepos', entity: draft.findEntity('configRepos', origin.repo) }, parts);
    // A change that the server makes on its own has no client address.
    if (address === null || (!isLimited && parts.isAdmin({ loginName: actor }))) return [];
    return localPathProblems({ kind: kind.name, before: before?.value, after: after.value }, parts);
  };
}

/** The problems of an entity that is saved, or tried out, by a user who is no system administrator. */
export function localPathProblems({ kind, before, after }: EntityChange, parts: LocalMaterialParts): Problem[] {
  return outside(kind, after, { kind, entity: before }, parts);
}

/** A problem for each path that is not open to all, and that the entity `counting` does not name. */
function outside(
  kind: KindName,
  entity: Entity,
  counting: { readonly kind: KindName; readonly entity: Entity | undefined },
  parts: LocalMaterialParts,
): Problem[] {
  const closed = urlsIn(kind, entity, parts).filter(({ type, url }) => url.trim() !== '' && !isGenerallyAllowed(type, url, parts.folders));
  if (closed.length === 0) return [];
  const known = counting.entity ? urlsIn(counting.kind, counting.entity, parts).map(({ identity }) => identity) : [];
  return closed.filter(({ identity }) => !known.includes(identity)).map(({ at }) => ({ at, message: REFUSED }));
}

function urlsIn(kind: KindName, entity: Entity, { tools, addressKeys }: LocalMaterialParts): NamedPlace[] {
  if (isOfKind('pipelines', kind, entity)) {
    const pipeline = tools.resolved(entity);
    return pipeline.materials.flatMap((written, index) => urlOf(written, ['materials', index], tools, pipeline));
  }
  if (isOfKind('configRepos', kind, entity)) return urlOf(entity.material, ['material'], tools);
  return isOfKind('scms', kind, entity) ? urlsOfScm(entity, tools, addressKeys) : [];
}

function urlOf(written: WrittenMaterial, at: Path, tools: MaterialTools, pipeline?: ConfiguredPipeline): NamedPlace[] {
  // Others name something by its id.
  if (!('url' in written.attributes)) return [];
  const identity = identityOf(written, undefined, tools, pipeline);
  return 'url' in identity ? [named([...at, 'attributes', 'url'], identity.url ?? '', identity)] : [];
}

function urlsOfScm(scm: ConfiguredScm, tools: MaterialTools, addressKeys: LocalMaterialParts['addressKeys']): NamedPlace[] {
  const keys = addressKeys(scm.pluginMetadata.id);
  if (keys.length === 0) return [];
  const identity = identityOfDefinition({ scm }, tools);
  return scm.configuration.flatMap((property, index) => {
    const url = tools.clearValues([property]).get(property.key) ?? '';
    return keys.includes(property.key) ? [named(['configuration', index, property.key], url.trim(), identity)] : [];
  });
}

function named(at: Path, url: string, identity: Identity): NamedPlace {
  return { at, url, type: identity.type, identity: fingerprintOf(identity) };
}

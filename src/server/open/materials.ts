// Joins materials to the server: their configuration, their polls, their storage.
import { join } from 'node:path';
import type { ModificationPageParts } from '../../api/endpoints/materials/modification-pages.ts';
import type { NotifyParts } from '../../api/endpoints/materials/notify.ts';

import type { WebhookParts } from '../../api/endpoints/webhooks/routes.ts';
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import type { RepoMaterials } from '../../config-repos/cycle/cycle-parts.ts';
import type { HealthMessages } from '../../health/messages.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import { MATERIAL_UPDATE } from '../../maintenance/running-systems.ts';
import { MaterialCatalogue } from '../../materials/catalogue/catalogue.ts';
import type { WrittenMaterial } from '../../materials/catalogue/configured-types.ts';
import type { Material } from '../../materials/catalogue/material.ts';
import { longDescription } from '../../materials/catalogue/messages.ts';
import type { MaterialRules } from '../../materials/clients/client.ts';
import { MaterialPoller } from '../../materials/polling/poller.ts';
import { maskUrl } from '../../materials/types/attributes/url.ts';
import { repositoryClients } from '../../materials/types/clients.ts';
import { removeOldLogins } from '../../materials/types/hg/old-logins.ts';
import { findRepositoryDefinition } from '../../materials/types/list.ts';
import { packageClient } from '../../materials/types/packages/client.ts';
import { pluginClient } from '../../materials/types/plugin/client.ts';
import { findByUuid } from '../../materials/types/svn/find-by-uuid.ts';
import { SvnUuids } from '../../materials/types/svn/uuids.ts';
import type { PluginHost } from '../../plugins/host.ts';
import { type MaterialOf, materialCodec } from '../../resources/pipelines/materials.ts';
import { isObject, type JsonOut } from '../../shape/json/json.ts';
import { scopedWriter } from '../../shape/secrets/secret-writer.ts';
import type { Database } from '../../store/database.ts';
import { Materials } from '../../store/materials/materials.ts';
import { Modifications } from '../../store/materials/modifications.ts';
import { RequestedPolls } from '../../store/materials/requested-polls.ts';
import type { Publish } from './event-log.ts';
import { materialTools } from './material-tools.ts';
import { openSecrets } from './secrets.ts';

interface Parts {
  readonly dataDir: string;
  readonly rules: MaterialRules;
  readonly database: Database;
  readonly config: Config;
  readonly changes: Changes;
  readonly cipher: Cipher;
  readonly plugins: PluginHost;
  readonly runner: PeriodicRunner;
  readonly health: HealthMessages;
  readonly log: Log;
  /** Seconds; 0: materials are polled on request only. */
  readonly interval: number;
  hasRoom(): boolean;
  readonly publish: Pick<Publish, 'materialFailed' | 'materialRecovered'>;
}

export interface OpenMaterials
  extends Pick<
      ModificationPageParts,
      | 'materials'
      | 'findExternal'
      | 'listing'
      | 'listingOf'
      | 'show'
      | 'schema'
      | 'modifications'
      | 'modificationsBeside'
      | 'newest'
      | 'stateOf'
      | 'requestPoll'
    >,
    NotifyParts,
    WebhookParts {
  /** The functions of materials that config repos need. */
  readonly ofConfigRepos: RepoMaterials & Pick<MaterialPoller, 'runWithMaterial'>;
  /** The parts of materials that builds need. */
  readonly ofBuilds: {
    readonly catalogue: MaterialCatalogue;
    readonly stored: Materials;
    readonly modifications: Modifications;
    readonly poller: MaterialPoller;
  };
  /** Polls from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum number of materials that are polled at a time. */
export const MATERIAL_LANES = { [MATERIAL_UPDATE]: 10 };

type DefaultAttributes = Pick<
  MaterialOf<'git'>['attributes'],
  'destination' | 'filter' | 'invertFilter' | 'submoduleFolder' | 'shallowClone'
>;

/** The attributes that the material of a config repo does not have. */
const DEFAULT_ATTRIBUTES: DefaultAttributes = {
  destination: null,
  filter: [],
  invertFilter: false,
  submoduleFolder: null,
  shallowClone: false,
};
const LIST_SCOPE = 'list of materials';
const NOTHING_YET = { total: 0, modifications: [] };

export function openMaterials(parts: Parts): OpenMaterials {
  const { dataDir, rules, database, config, changes, cipher, plugins, runner, health, log, interval, hasRoom } = parts;
  const directory = join(dataDir, 'pipelines', 'flyweight');
  const tidied = removeOldLogins(directory).catch((failure) => log.error({ err: failure }, 'old logins of hg could not be removed'));
  const tools = materialTools(cipher, plugins);
  const catalogue = new MaterialCatalogue(config, tools);
  const secrets = openSecrets(config, plugins, { directory: dataDir });
  const materials = new Materials(database);
  const modifications = new Modifications(database);
  const poller = new MaterialPoller({
    catalogue,
    runner,
    kind: MATERIAL_UPDATE,
    clients: {
      ...repositoryClients(),
      package: packageClient((id) => plugins.packageRepository(id)),
      plugin: pluginClient((id) => plugins.scm(id)),
    },
    materials,
    requestedPolls: new RequestedPolls(database),
    modifications,
    health,
    directory,
    rules,
    intervalMs: interval > 0 ? interval * 1000 : undefined,
    hasRoom,
    secrets,
    detailsOf: ({ written }) => show(written, cipher),
    onFailure: (failure, message) => log.error({ err: failure }, message),
    onFailed: (material, failure) => parts.publish.materialFailed(factsOf(material), failure),
    onRecovered: (material) => parts.publish.materialRecovered(factsOf(material)),
  });
  changes.listen(({ edits }) => {
    catalogue.note(edits);
    poller.configurationChanged();
  });
  const uuids = new SvnUuids(directory, rules, secrets, (failure, message) => log.warn({ err: failure }, message));
  return {
    materials: () => catalogue.current(),
    findExternal: (fingerprint) => poller.findExternal(fingerprint),
    listing: () => listingFrom(catalogue),
    listingOf: (then) => listingFrom(new MaterialCatalogue(then, tools)),
    show: (written) => show(written, cipher),
    schema: () => materialCodec.schema('response'),
    modifications: pagesOf(materials, modifications),
    modificationsBeside: modificationsBesideIn(materials, modifications),
    newest: (fingerprints) => modifications.newest(fingerprints),
    stateOf: (fingerprint) => poller.stateOf(fingerprint),
    requestPoll: (fingerprint) => poller.requestPoll(fingerprint),
    svnWithUuid: (uuid, some, search) => findByUuid(uuid, some, uuids, search),
    onLateFailure: (failure) => log.error({ err: failure }, 'a material of which a change was reported could not be polled'),
    hasConfigRepo: (id) => config.of('configRepos').find(id) !== undefined,
    updateConfigRepo: async (id) => {
      const material = await catalogue.ofConfigRepo(id);
      return material ? poller.requestPoll(material.fingerprint) : 'unknown';
    },
    secret: () => {
      const secret = config.of('serverIdentity').find('')?.value.webhookSecret;
      return (secret && cipher.decrypt(secret.cipherText)) || undefined;
    },
    ofConfigRepos: {
      ofConfigRepo: (id) => catalogue.ofConfigRepo(id),
      find: (fingerprint) => materials.find(fingerprint),
      all: () => materials.all(),
      requestPoll: (fingerprint) => poller.requestPoll(fingerprint),
      isUnderWay: (fingerprint, waiting) => poller.isUnderWay(fingerprint, waiting),
      listen: (listener) => poller.listen(listener),
      modification: async (materialId, revision) => (await modifications.find(materialId, revision)) ?? undefined,
      runWithMaterial: (material, work) => poller.runWithMaterial(material, work),
    },
    ofBuilds: { catalogue, stored: materials, modifications, poller },
    start: () => poller.start(),
    stop: () => poller.stop(),
    close: async () => {
      await tidied;
      uuids.close();
    },
  };
}

async function listingFrom(catalogue: MaterialCatalogue) {
  return { materials: await catalogue.current(), groups: catalogue.groups, generation: catalogue.generation };
}

function factsOf(material: Material) {
  return { fingerprint: material.fingerprint, type: material.type, description: longDescription(material) };
}

function withDefaults<M extends WrittenMaterial>(written: M): M & { readonly attributes: DefaultAttributes } {
  return { ...written, attributes: { ...DEFAULT_ATTRIBUTES, ...written.attributes } };
}

/** A parameter may have brought a password into an address, and the branch in a URL is shown after two signs. */
function show(written: WrittenMaterial, cipher: Cipher): JsonOut {
  // Clients do not send back entries of the list, so its cipher texts open nowhere.
  const secrets = scopedWriter(cipher, LIST_SCOPE);
  const { type, attributes } = materialCodec.write(withDefaults(written), { base: undefined, secrets });
  if (!isObject(attributes) || typeof attributes.url !== 'string') return { type: type!, attributes: attributes! };
  const url = maskUrl(attributes.url);
  return {
    type: type!,
    attributes: { ...attributes, url: findRepositoryDefinition(String(type))?.namesBranchInUrl ? url.replace(/#+/, '##') : url },
  };
}

function pagesOf(materials: Materials, modifications: Modifications): ModificationPageParts['modifications'] {
  return async (fingerprint, offset, limit) => {
    const stored = await materials.find(fingerprint);
    return stored ? modifications.page(stored.id, offset, limit) : NOTHING_YET;
  };
}

function modificationsBesideIn(materials: Materials, modifications: Modifications): ModificationPageParts['modificationsBeside'] {
  return async (fingerprint, range) => {
    const stored = await materials.find(fingerprint);
    return stored ? modifications.beside(stored.id, range) : [];
  };
}

// Opens the parts of the server one after the other, each with those before it that it needs.
import { Renderer } from '../../api/engine/renderer.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import { forgetPausesOfGone } from '../../builds/pause-upkeep.ts';
import { Pauses } from '../../builds/pauses.ts';
import type { DiskWatch } from '../../health/disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic.ts';
import type { Log } from '../../kit/log.ts';
import { type OpenMail, openMail } from '../../mail/open-mail.ts';
import { thisMachine } from '../../mail/this-machine.ts';
import type { MaintenanceMode } from '../../maintenance/mode.ts';
import type { MaterialRules } from '../../materials/clients/client.ts';
import type { Registry } from '../../shape/resource.ts';
import type { Database } from '../../store/database.ts';
import type { Settings } from '../settings.ts';
import { fullVersion, type Version } from '../version.ts';
import { type OpenAccess, openAccess } from './access.ts';
import { backupMails, type OpenBackups, openBackups } from './backups.ts';
import { type OpenConfigRepos, openConfigRepos } from './config-repos.ts';
import { type OpenConfiguration, openConfiguration } from './configuration.ts';
import { openDiskWatch } from './disk-watch.ts';
import { type OpenDocument, openDocument } from './document.ts';
import { type OpenEvents, openEvents } from './events.ts';
import { type OpenHistory, openHistory } from './history.ts';
import { keepsLocalPaths, type LocalMaterialParts } from './local-materials.ts';
import { openMaintenance } from './maintenance.ts';
import { readMaterialRules } from './material-rules.ts';
import { materialTools } from './material-tools.ts';
import { type OpenMaterials, openMaterials } from './materials.ts';
import { webhookReach } from './network-rules.ts';
import { readingParts } from './plugin-parts.ts';

/** What is there before any part is. */
export interface BaseParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly version: Version;
  readonly database: Database;
  readonly runner: PeriodicRunner;
  readonly log: Log;
}

export interface OpenParts {
  readonly configuration: OpenConfiguration;
  readonly people: OpenAccess;
  readonly pauses: Pauses;
  readonly mail: OpenMail;
  readonly maintenance: MaintenanceMode;
  readonly disk: DiskWatch;
  readonly document: OpenDocument;
  readonly backup: OpenBackups;
  readonly materialRules: MaterialRules;
  readonly localMaterials: LocalMaterialParts;
  readonly materials: OpenMaterials;
  readonly events: OpenEvents;
  readonly history: OpenHistory;
  readonly resourceParts: ResourceParts;
  readonly configRepos: OpenConfigRepos;
}

export async function openAllParts({ settings, registry, version, ...others }: BaseParts): Promise<OpenParts> {
  const { dataDir } = settings;
  const ip = () => thisMachine().ip; // a machine can get another address while the server runs
  const baseParts = { dataDir, ...others };
  const { database, log } = others;

  const configuration = await openConfiguration({ ...baseParts, settings, registry });
  const { config, changes, cachedTables, cipher, importedKeys, plugins, health, eventLog } = configuration;
  const { tell, write } = eventLog;
  const people = await openAccess({ ...baseParts, ...configuration });
  const pauses = await Pauses.load(database, cachedTables);
  await forgetPausesOfGone(pauses, config, changes, (failure) => log.error({ err: failure }, 'a pause could not be removed'));

  const mail = await openMail({ ...baseParts, ...configuration, smtp: settings.mail });
  const maintenance = await openMaintenance({ ...baseParts, cachedTables, mails: mail.adminMails, tell, ip, startsOn: settings.maintenance });
  const disk = openDiskWatch({ ...baseParts, config, limits: settings.disk, health, mails: mail.adminMails, ip });
  const document = openDocument({ ...baseParts, ...configuration });
  const backup = openBackups({
    ...baseParts,
    ...configuration,
    version: fullVersion(version),
    mails: backupMails(mail.adminMails, ip),
    onStarted: tell.backupStarted,
    onEnded: tell.backupEnded,
    historyUpToDate: () => document.projection.upToDate(),
  });

  const materialRules = await readMaterialRules(settings);
  const localMaterials = {
    folders: settings.localRepositories,
    tools: materialTools(cipher, plugins),
    addressKeys: (pluginId: string) => plugins.addressKeys(pluginId, 'scm'),
    isAdmin: (loginName: string) => people.access.isAdmin({ loginName }),
  };
  changes.judge(keepsLocalPaths(localMaterials));
  const materials = openMaterials({
    ...baseParts,
    ...configuration,
    rules: materialRules,
    interval: settings.materialInterval,
    hasRoom: () => !disk.isFull('database'),
    tell,
  });
  const events = openEvents(eventLog, {
    ...configuration,
    ...people,
    log,
    networkPolicy: webhookReach(settings),
    version: version.release,
  });
  const history = await openHistory({ ...baseParts, cachedTables, write, config, days: settings.historyDays });
  const resourceParts = {
    access: people.access,
    config,
    changes,
    renderer: new Renderer(config),
    past: history.past,
    changeLog: history.log,
    ...readingParts(plugins, { cipher, openForeign: importedKeys.open }, dataDir),
  };
  const configRepos = openConfigRepos({
    ...baseParts,
    ...configuration,
    ...resourceParts,
    materials: materials.ofConfigRepos,
    isPaused: () => maintenance.isOn,
    tell,
  });

  return {
    configuration,
    people,
    pauses,
    mail,
    maintenance,
    disk,
    document,
    backup,
    materialRules,
    localMaterials,
    materials,
    events,
    history,
    resourceParts,
    configRepos,
  };
}

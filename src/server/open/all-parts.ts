// Opens the parts of the server one after the other, each with those before it that it needs.
import { Renderer } from '../../api/engine/renderer.ts';
import type { ResourceParts } from '../../api/engine/resource-parts.ts';
import { forgetPausesOfDeleted } from '../../builds/pause-housekeeping.ts';
import { Pauses } from '../../builds/pauses.ts';
import type { DiskWatch } from '../../health/disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { RecentLines } from '../../kit/telemetry/recent-lines.ts';
import type { Tracer } from '../../kit/telemetry/tracer.ts';
import { type OpenMail, openMail } from '../../mail/open-mail.ts';
import { thisMachine } from '../../mail/this-machine.ts';
import type { MaintenanceMode } from '../../maintenance/mode.ts';
import type { MaterialRules } from '../../materials/clients/client.ts';
import type { Registry } from '../../shape/resource.ts';
import type { Database } from '../../store/database.ts';
import { type OpenBuilds, openBuilds } from '../builds/open.ts';
import type { Settings } from '../settings.ts';
import { sourceOf } from '../sharing/database.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { fullVersion, type Version } from '../version.ts';
import { type OpenAccess, openAccess } from './access.ts';
import { backupMails, type OpenBackups, openBackups } from './backups.ts';
import { type OpenConfigRepos, openConfigRepos } from './config-repos.ts';
import { type OpenConfiguration, openConfiguration } from './configuration.ts';
import { openDiskWatch } from './disk-watch.ts';
import { type OpenDocument, openDocument } from './document.ts';
import { type OpenEvents, openEvents } from './events.ts';
import { type OpenHistory, openHistory } from './history.ts';
import { type LocalMaterialParts, openLocalMaterials } from './local-materials.ts';
import { openMaintenance } from './maintenance.ts';
import { readMaterialRules } from './material-rules.ts';
import { type OpenMaterials, openMaterials } from './materials.ts';
import { clusterReach, webhookReach } from './network-rules.ts';
import { readingParts } from './plugin-parts.ts';

/** The parts that are opened before all others. */
export interface BaseParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly version: Version;
  readonly database: Database;
  /** Undefined: this server has its database for itself. */
  readonly sharing?: Sharing | undefined;
  readonly runner: PeriodicRunner;
  readonly log: Log;
  /** Undefined: no traces are made. */
  readonly tracer?: Tracer | undefined;
  readonly recentLines: RecentLines;
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
  readonly builds: OpenBuilds;
}

export async function openAllParts({ settings, registry, version, ...others }: BaseParts): Promise<OpenParts> {
  const ip = () => thisMachine().ip; // a machine can get another address while the server runs
  const baseParts = { dataDir: settings.dataDir, artifactBucket: settings.artifactBucket, clusterReach: clusterReach(settings), ...others };
  const { database, log, sharing: { keeperDatabase = database } = {} } = others;
  const keeperParts = { ...baseParts, database: keeperDatabase };

  const configuration = await openConfiguration({ ...baseParts, settings, registry });
  const { config, changes, cachedTables, cipher, importedKeys, plugins, eventLog } = configuration;
  const { publish, write } = eventLog;
  const people = await openAccess({ ...baseParts, ...configuration, sessionLimits: settings.sessions });
  const pauses = await Pauses.load(database, cachedTables);
  await forgetPausesOfDeleted(pauses, config, changes, (failure) => log.error({ err: failure }, 'a pause could not be removed'));

  const mail = await openMail({ ...baseParts, ...configuration, keeperDatabase, smtp: settings.mail });
  const mails = mail.adminMails;
  const maintenance = await openMaintenance({ ...baseParts, cachedTables, mails, publish, ip, startsOn: settings.maintenance });
  const disk = openDiskWatch({ ...baseParts, ...configuration, limits: settings.disk, mails, ip });
  const document = openDocument({ ...baseParts, ...configuration, source: sourceOf(settings) });
  const backup = openBackups({
    ...keeperParts,
    ...configuration,
    locations: settings,
    version: fullVersion(version),
    mails: backupMails(mails, ip),
    onStarted: publish.backupStarted,
    onEnded: publish.backupEnded,
    historyUpToDate: () => document.projection.upToDate(),
  });

  const materialRules = await readMaterialRules(settings);
  const localMaterials = openLocalMaterials({ ...configuration, ...people, folders: settings.localRepositories });
  const materials = openMaterials({
    ...keeperParts,
    ...configuration,
    rules: materialRules,
    interval: settings.materialInterval,
    hasRoom: () => !disk.isFull('database'),
    publish,
  });
  const events = openEvents(eventLog, {
    ...baseParts,
    ...configuration,
    keeperDatabase,
    ...people,
    networkPolicy: webhookReach(settings),
    version: version.release,
    source: sourceOf(settings),
  });
  const history = await openHistory({ ...baseParts, cachedTables, write, config, days: settings.historyDays });
  const resourceParts = {
    access: people.access,
    config,
    changes,
    renderer: new Renderer(config),
    past: history.past,
    changeLog: history.log,
    ...readingParts(plugins, { cipher, openImported: importedKeys.open }, settings.dataDir),
  };
  const configRepos = openConfigRepos({
    ...keeperParts,
    ...configuration,
    ...resourceParts,
    materials: materials.ofConfigRepos,
    isPaused: () => maintenance.isOn,
    publish,
  });

  return {
    configuration,
    people,
    builds: openBuilds({ ...keeperParts, ...configuration, ...people, pauses, mail, maintenance, disk, materials, history, configRepos }),
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

// Opens the parts that all others stand on: the configuration with its secrets and plugins, the one way it changes, and the log of events.
import { Changes } from '../../config/change.ts';
import { type Config, loadConfig } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import { ImportedKeys } from '../../document/upgrade/imported-keys.ts';
import { HealthMessages } from '../../health/messages.ts';
import { watchPlugins } from '../../health/missing-plugins.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import { PluginHost } from '../../plugins/host.ts';
import { bundledPlugins } from '../../plugins/installed.ts';
import { namedSecretConfigs } from '../../plugins/named-secret-configs.ts';
import { type Kind, kindsOf, type Registry } from '../../shape/resource.ts';
import { showBoundSecrets } from '../../shape/secrets/secret-writer.ts';
import type { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { openArtifactsDir } from '../artifacts-dir.ts';
import type { Settings } from '../settings.ts';
import { followOthers } from '../sharing/following.ts';
import { SharedFiles } from '../sharing/shared-files.ts';
import { openCipherOf } from './cipher.ts';
import { type OpenEventLog, openEventLog } from './event-log.ts';
import { openExternalPlugins } from './external-plugins.ts';
import { connectPluginRules } from './plugin-parts.ts';

interface Parts {
  readonly settings: Pick<Settings, 'dataDir' | 'contextPath' | 'cipherKeyFile'>;
  readonly registry: Registry;
  readonly database: Database;
  readonly runner: PeriodicRunner;
  readonly log: Log;
}

export interface OpenConfiguration {
  readonly kinds: readonly Kind[];
  readonly config: Config;
  readonly changes: Changes;
  /** Every part that keeps a table in memory adds itself here. */
  readonly cachedTables: CachedTables;
  /** Undefined: this server has its database for itself. */
  readonly sharedFiles: SharedFiles | undefined;
  readonly cipher: Cipher;
  readonly importedKeys: ImportedKeys;
  readonly plugins: PluginHost;
  /** Of the plugins in the data directory: servers that share a database need the same. */
  readonly pluginDigest: string;
  readonly health: HealthMessages;
  readonly eventLog: OpenEventLog;
  /** In which artifacts and consoles lie until the server is started again. */
  readonly artifactsDir: string;
}

export async function openConfiguration({ settings, registry, database, runner, log }: Parts): Promise<OpenConfiguration> {
  const { dataDir, contextPath } = settings;
  const migrated = await migrate(database);
  if (migrated) log.info(migrated, 'the tables of the database were changed for this version');
  const kinds = kindsOf(registry);
  const load = (query: Database['query']) => loadConfig(kinds, query);
  const config = await (database.shared ? database.shared.loadFirst(load) : load(database.query));
  const cipher = openCipherOf({ ...settings, isShared: database.shared !== undefined }, config);
  config.secrets = showBoundSecrets(cipher);
  config.idsInTexts = namedSecretConfigs(cipher);
  const importedKeys = new ImportedKeys(dataDir, cipher);
  const eventLog = await openEventLog({ database, kinds, log, runner });
  const changes = new Changes(config, eventLog.commit, database);
  const cachedTables = followOthers({ database, kinds, changes, events: eventLog.events });
  const onChanged = () => importedKeys.reload();
  const sharedFiles = database.shared && (await SharedFiles.open({ dataDir, database, cachedTables, cipher, runner, onChanged }));
  const health = new HealthMessages();
  const external = openExternalPlugins(dataDir, log);
  external.reportProblems(health);
  const plugins = new PluginHost([...bundledPlugins, ...external.plugins], cipher, () => ({
    contextPath,
    secureSiteUrl: config.of('siteUrls').find('')?.value.secureSiteUrl || undefined,
  }));
  const pluginDigest = sha256(
    external.plugins
      .map(({ id, version: of }) => `${id} ${of}\n`)
      .toSorted()
      .join(''),
  );
  connectPluginRules(plugins, config);
  watchPlugins({
    config,
    health,
    ruleView: () => new Draft(config).ruleView,
    isInstalled: (id) => plugins.has(id),
    pluginProblemsOf: plugins.problemsOf.bind(plugins),
    listen: (listener) => changes.listen(listener),
  });
  const artifactsDir = openArtifactsDir({ dataDir, config, changes, health });
  return { kinds, config, changes, cachedTables, sharedFiles, cipher, importedKeys, plugins, pluginDigest, health, eventLog, artifactsDir };
}

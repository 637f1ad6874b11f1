// Joins the parts to a server.
import type { Route } from '../api/engine/route.ts';
import { baseUrls } from '../api/http/address/base-url.ts';
import { clientAddresses } from '../api/http/address/client-address.ts';
import { handlerOf } from '../api/http/handler.ts';
import { listen } from '../api/http/listen.ts';
import { RequestCounts } from '../api/http/request-counts.ts';
import { routerOf } from '../api/http/router.ts';
import type { Config } from '../config/current.ts';
import { Readiness } from '../health/readiness.ts';
import type { Job } from '../kit/concurrency/job.ts';
import { PeriodicRunner } from '../kit/concurrency/periodic.ts';
import type { Log } from '../kit/log.ts';
import { addressList } from '../kit/network/address-list.ts';
import { hindranceOf } from '../maintenance/mode.ts';
import { type BuildJobs, NO_BUILDS } from '../maintenance/running-systems.ts';
import { registry } from '../resources/index.ts';
import type { Registry } from '../shape/resource.ts';
import type { Database, Freshness } from '../store/database.ts';
import { mustBeWhole, type TakenDirectory, takeDataDirectory } from '../store/files/data-directory.ts';
import { mustBeEmbedded } from '../store/files/moved.ts';
import { backgroundWork } from './background.ts';
import { bringFirstAdministrator, watchFirstPassword } from './first-start/administrator.ts';
import { type InitialAdmin, type InitialPassword, prepareInitialPassword } from './first-start/prepare-initial-password.ts';
import { type BaseParts, openAllParts } from './open/all-parts.ts';
import { CONFIG_REPO_LANES } from './open/config-repos.ts';
import { MATERIAL_LANES } from './open/materials.ts';
import { keepFilesPrivate } from './open/private-files.ts';
import { serverRoutes } from './routes/all.ts';
import type { Settings } from './settings.ts';
import { openDatabase } from './sharing/database.ts';
import { onceForAll } from './sharing/once-for-all.ts';
import { readVersion } from './version.ts';

export interface RunningServer {
  readonly addresses: readonly string[];
  /** Set on the very first start. */
  readonly initialAdmin: InitialAdmin | undefined;
  /** By a setting, or because it was meant to outlast the start. */
  readonly startsInMaintenance: boolean;
  stop(): Promise<void>;
}

export interface Extensions {
  readonly registry?: Registry;
  readonly routes?: readonly Route[];
  readonly periodicJobs?: readonly Job[];
  readonly builds?: BuildJobs;
  /** For the administrator of the first start; absent: it is prepared now, and hashed by `hashPassword`. */
  readonly initialPassword?: InitialPassword;
  readonly hashPassword?: (password: string) => Promise<string>;
}

export async function startServer(settings: Settings, log: Log, extensions: Extensions = {}): Promise<RunningServer> {
  const { dataDir } = settings;
  mustBeWhole(dataDir);
  if (!settings.database) mustBeEmbedded(dataDir);
  const directory = takeDataDirectory(dataDir);
  const database = await openDatabase(settings, log).catch((failure: unknown) => {
    directory.release();
    throw failure;
  });
  const runner = new PeriodicRunner({
    places: { ...MATERIAL_LANES, ...CONFIG_REPO_LANES },
    onFailure: (job, failure, failuresInARow) => log.error({ job, failuresInARow, err: failure }, 'periodic work failed'),
  });
  const leave = async () => {
    await database.close();
    directory.release();
  };
  try {
    const baseParts = { settings, registry: extensions.registry ?? registry, version: readVersion(), database, runner, log };
    const running = await startOn(baseParts, extensions, directory);
    return {
      ...running,
      stop: async () => {
        await running.stop();
        await leave();
      },
    };
  } catch (failure) {
    await runner.stop();
    await leave();
    throw failure;
  }
}

async function startOn(baseParts: BaseParts, extensions: Extensions, directory: TakenDirectory): Promise<RunningServer> {
  const { settings, version, database, runner, log } = baseParts;
  const { dataDir, contextPath } = settings;
  const initialPassword = extensions.initialPassword ?? prepareInitialPassword(settings, extensions.hashPassword);
  const parts = await openAllParts(baseParts);
  const { people, maintenance, document, materials, configRepos, events, resourceParts } = parts;
  const background = backgroundWork({ ...parts, runner, log });

  const stopping = new AbortController();
  const readiness = new Readiness(() => hindranceOf(maintenance));
  const counts = new RequestCounts();
  const { builds = NO_BUILDS, routes: more = [] } = extensions;
  const routes = serverRoutes({ ...baseParts, ...parts, counts, readiness, builds, stopping: stopping.signal, more });
  const isTrustedProxy = settings.trustProxy.length > 0 ? addressList(settings.trustProxy) : undefined;
  const baseOf = baseUrls({ contextPath, isTrustedProxy });
  const handler = handlerOf({
    find: routerOf(routes),
    authenticate: people.authenticate,
    access: people.access,
    refresh: refreshOf(database),
    handOn: undefined,
    maintenance,
    readiness,
    baseOf,
    addressOf: clientAddresses(isTrustedProxy),
    configuredUrls: () => siteUrlsIn(parts.configuration.config),
    contextPath,
    serverVersion: version.release,
    log,
    counts,
  });
  watchFirstPassword(dataDir, runner);
  keepFilesPrivate({ dataDir, runner, health: parts.configuration.health, openToOthers: directory.openToOthers });
  for (const job of extensions.periodicJobs ?? []) runner.add(job);

  await parts.configuration.eventLog.events.begun;
  const listening = await listen(handler, settings, { baseOf, configuredUrls: () => siteUrlsIn(parts.configuration.config) });
  const begin = async () => {
    // Only a server that can be reached makes up a password: it is printed once.
    const administrator = await onceForAll(database, parts.configuration.sharedFiles, () =>
      bringFirstAdministrator({ ...resourceParts, ...people }, dataDir, initialPassword),
    );
    // Before requests are served: some ask for what it knows.
    await background.start();
    return administrator;
  };
  const initialAdmin = await begin().catch(async (failure: unknown) => {
    await listening.stop();
    throw failure;
  });
  readiness.phase = 'running';
  database.shared?.follow();
  await document.start();
  return {
    addresses: listening.addresses.map((address) => address + contextPath),
    initialAdmin,
    startsInMaintenance: maintenance.isOn,
    stop: async () => {
      readiness.phase = 'stopping';
      stopping.abort();
      await Promise.all([listening.stop(), events.stopStreams()]);
      await background.stop();
      await runner.stop();
      await configRepos.close();
      await materials.close();
      await document.close();
      await people.tokens
        .writeLastUses()
        .catch((failure: unknown) => log.error({ err: failure }, 'the last uses of tokens could not be written'));
      await events.close();
    },
  };
}

/** The addresses that administrators have given the server, the secure one first. */
function siteUrlsIn(config: Config): string[] {
  const { secureSiteUrl, siteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return [secureSiteUrl, siteUrl].flatMap((url) => (url ? [url] : []));
}

function refreshOf({ shared }: Database): (() => Promise<Freshness>) | undefined {
  return shared && (() => shared.refresh());
}

// Joins the parts to a server.

import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Route } from '../api/engine/route.ts';
import { baseUrls } from '../api/http/address/base-url.ts';
import { clientAddresses } from '../api/http/address/client-address.ts';
import { handlerOf } from '../api/http/handler.ts';
import { listen } from '../api/http/listen.ts';
import { identifier } from '../api/http/login/identify.ts';
import { routerOf } from '../api/http/router.ts';
import { RequestCounts } from '../api/http/telemetry/request-counts.ts';
import { pageFilesIn } from '../api/pages/page-files.ts';
import { pagesOf } from '../api/pages/pages.ts';
import type { Config } from '../config/current.ts';
import { type NotReady, Readiness } from '../health/readiness.ts';
import type { Job } from '../kit/concurrency/periodic/job.ts';
import { PeriodicRunner } from '../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../kit/log.ts';
import { addressList } from '../kit/network/address-list.ts';
import { INSTALLATION } from '../kit/process/own-program.ts';
import { RecentLines } from '../kit/telemetry/recent-lines.ts';
import { scopedLog } from '../kit/telemetry/scoped-log.ts';
import { readinessObstacle } from '../maintenance/mode.ts';
import type { BuildJobs } from '../maintenance/running-systems.ts';
import { registry } from '../resources/index.ts';
import type { Registry } from '../shape/resource.ts';
import type { Database, Freshness } from '../store/database.ts';
import { mustBeWhole, type TakenDirectory, takeDataDirectory } from '../store/files/data-directory.ts';
import { mustBeEmbedded } from '../store/files/moved.ts';
import { backgroundWork } from './background.ts';
import { LocalAgents } from './builds/local-agents/local-agents.ts';
import { ownCertificate, serverAddress } from './builds/local-agents/server-address.ts';
import { ownUrl } from './builds/own-url.ts';
import { createFirstAdministrator, watchFirstPassword } from './first-start/administrator.ts';
import { type InitialAdmin, type InitialPassword, prepareInitialPassword } from './first-start/prepare-initial-password.ts';
import { type OpenLive, openLive } from './live/open.ts';
import { type BaseParts, type OpenParts, openAllParts } from './open/all-parts.ts';
import { mustBeKeyOf } from './open/cipher.ts';
import { CONFIG_REPO_LANES } from './open/config-repos.ts';
import { MATERIAL_LANES } from './open/materials.ts';
import { keepFilesPrivate } from './open/private-files.ts';
import { serverRoutes } from './routes/all.ts';
import type { Settings } from './settings.ts';
import { openDatabase } from './sharing/database.ts';
import { databaseProblem } from './sharing/database-problem.ts';
import { outageLog } from './sharing/outage-log.ts';
import { runExclusively } from './sharing/run-exclusively.ts';
import { openSharing, replicaUrl } from './sharing/sharing.ts';
import { openTracer } from './telemetry/open-tracer.ts';
import { readVersion } from './version.ts';

/** How long a server that has lost its database counts as ready: it may find it again at once. */
const READY_WITHOUT_DATABASE_MS = 5000;

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
  readonly routes?: readonly Route[] | ((parts: BaseParts & OpenParts, stopping: AbortSignal) => readonly Route[]);
  readonly periodicJobs?: readonly Job[];
  readonly builds?: BuildJobs;
  /** Absent: where `npm start` builds the pages. */
  readonly pagesFolder?: string;
  /** For the administrator of the first start; absent: it is prepared now, and hashed by `hashPassword`. */
  readonly initialPassword?: InitialPassword;
  readonly hashPassword?: (password: string) => Promise<string>;
}

export async function startServer(settings: Settings, plainLog: Log, extensions: Extensions = {}): Promise<RunningServer> {
  const { dataDir } = settings;
  const recentLines = new RecentLines();
  const log = outageLog(scopedLog(plainLog, recentLines));
  mustBeWhole(dataDir);
  if (!settings.database) mustBeEmbedded(dataDir);
  const directory = takeDataDirectory(dataDir);
  const database = await openDatabase(settings, log).catch((failure: unknown) => {
    directory.release();
    throw failure;
  });
  const version = readVersion();
  const tracer = settings.traces && (await openTracer(settings.traces, version.release, log));
  const slots = { ...MATERIAL_LANES, ...CONFIG_REPO_LANES };
  const runner = new PeriodicRunner({
    slots,
    onFailure: (job, failure, failuresInARow) => log.error({ job, failuresInARow, err: failure }, 'periodic work failed'),
    ...(tracer && { around: (kind, run) => (kind in slots ? tracer.trace(kind, {}, run) : run()) }),
  });
  const leave = async () => {
    await tracer?.close();
    await database.close();
    directory.release();
  };
  try {
    const sharing = openSharing({ database, runner, log, version: version.release });
    const baseParts = { settings, registry: extensions.registry ?? registry, version, database, sharing, runner, log, tracer, recentLines };
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
  const { settings, database, sharing, runner, log } = baseParts;
  const { dataDir, contextPath } = settings;
  const initialPassword = extensions.initialPassword ?? prepareInitialPassword(settings, extensions.hashPassword);
  const parts = await openAllParts(baseParts);
  const { configuration, people, maintenance, document, materials, configRepos, events, resourceParts } = parts;
  const localAgents = new LocalAgents({ settings, registry: parts.builds.registry, health: configuration.health, log });
  const stopping = new AbortController();
  const live = openLive({ ...parts, log }, stopping.signal);
  const background = backgroundWork({ ...parts, builds: live.following(localAgents.following(parts.builds)), runner, log });
  const http = openHttp(baseParts, { ...parts, live }, extensions, stopping.signal);
  watchFirstPassword(dataDir, runner);
  keepFilesPrivate({ dataDir, runner, health: configuration.health, openToOthers: directory.openToOthers });
  for (const job of extensions.periodicJobs ?? []) runner.add(job);

  await configuration.eventLog.events.begun;
  const listening = await listen(http.handler, settings, http);
  parts.builds.listensAt(ownUrl(listening.addresses, settings, hostname));
  const begin = async () => {
    // Only a server that can be reached makes up a password: it is printed once.
    const administrator = await runExclusively(database, configuration.sharedFiles, async () => {
      mustBeKeyOf(configuration.config, configuration.cipher, { ...settings, isShared: database.shared !== undefined });
      return createFirstAdministrator({ ...resourceParts, ...people }, dataDir, initialPassword);
    });
    const join = { url: replicaUrl(settings, listening.addresses), plugins: configuration.pluginDigest, work: background };
    // Before requests are served: some need the state that it reads.
    await (sharing?.join(join) ?? background.start());
    return administrator;
  };
  const initialAdmin = await begin().catch(async (failure: unknown) => {
    await listening.stop();
    throw failure;
  });
  http.readiness.phase = 'running';
  database.shared?.follow();
  await document.start();
  localAgents.serve(serverAddress(listening.addresses, settings));
  return {
    addresses: listening.addresses.map((address) => address + contextPath),
    initialAdmin,
    startsInMaintenance: maintenance.isOn,
    stop: async () => {
      http.readiness.phase = 'stopping';
      stopping.abort();
      await Promise.all([localAgents.stop(), listening.stop(), events.stopStreams()]);
      await (sharing?.leave() ?? background.stop());
      await runner.stop();
      await configRepos.close();
      await materials.close();
      await document.close();
      await people
        .writeLastUses()
        .catch((failure: unknown) => log.error({ err: failure }, 'the last uses of tokens and sessions could not be written'));
      await events.close();
    },
  };
}

/** The handler of requests, with its routes and pages. */
function openHttp(
  baseParts: BaseParts,
  parts: OpenParts & { readonly live: OpenLive },
  { builds, routes: more = [], pagesFolder }: Extensions,
  stopping: AbortSignal,
) {
  const { settings, version, database, sharing, log, tracer } = baseParts;
  const { contextPath, trustProxy } = settings;
  const { configuration, people, maintenance } = parts;
  const moreRoutes = typeof more === 'function' ? more({ ...baseParts, ...parts }, stopping) : more;
  const readiness = new Readiness(() => databaseHindrance(database) ?? readinessObstacle(maintenance));
  const counts = new RequestCounts();
  const isTrustedProxy = trustProxy.length > 0 ? addressList(trustProxy) : undefined;
  const baseOf = baseUrls({ contextPath, isTrustedProxy });
  const addressOf = clientAddresses(isTrustedProxy);
  const forwarder = sharing?.requestForwarder(configuration.cipher, ownCertificate(settings));
  stopping.addEventListener('abort', () => forwarder?.endHeld(), { once: true });
  const configuredUrls = () => siteUrlsIn(configuration.config);
  const seenBaseOf = forwarder ? (request: IncomingMessage) => forwarder.forwardedClientOf(request)?.base ?? baseOf(request) : baseOf;
  const files = pageFilesIn(pagesFolder ?? join(INSTALLATION, 'build', 'pages'), contextPath);
  const handler = handlerOf({
    find: routerOf(
      serverRoutes({ ...baseParts, ...parts, counts, readiness, buildJobs: builds ?? parts.builds.buildJobs, stopping, more: moreRoutes }),
    ),
    identify: identifier(people.authenticate, people.sessionLogins, (request) => ({ contextPath, base: seenBaseOf(request) })),
    access: people.access,
    refresh: refreshOf(database),
    forwarder,
    pages: pagesOf({ files, contextPath }),
    hasPages: files !== undefined,
    maintenance,
    readiness,
    baseOf: seenBaseOf,
    addressOf: forwarder ? (request) => forwarder.forwardedClientOf(request)?.address ?? addressOf(request) : addressOf,
    configuredUrls,
    contextPath,
    serverVersion: version.release,
    log,
    counts,
    tracer,
    isTrustedProxy,
  });
  const isForwarded = (request: IncomingMessage) => forwarder?.isForwarded(request) === true;
  return { handler, readiness, baseOf, configuredUrls, isForwarded };
}

/** The addresses that administrators have given the server, the secure one first. */
function siteUrlsIn(config: Config): string[] {
  const { secureSiteUrl, siteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return [secureSiteUrl, siteUrl].flatMap((url) => (url ? [url] : []));
}

/** Load balancers turn to a server that still reaches the database, and can write to it. */
function databaseHindrance({ shared }: Database): NotReady | undefined {
  const problem = shared && databaseProblem(shared);
  if (!problem || Date.now() - problem.since < READY_WITHOUT_DATABASE_MS) return undefined;
  return { reason: problem.reason, retryAfter: 1 };
}

function refreshOf({ shared }: Database): (() => Promise<Freshness>) | undefined {
  return shared && (() => shared.refresh());
}

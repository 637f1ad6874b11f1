// All routes of the server, with their guards and their documentation.

import { identityRevalidator } from '../../access/login/identity-revalidation.ts';
import { aboutPageRoute } from '../../api/endpoints/about/page.ts';
import { readinessRoute } from '../../api/endpoints/about/readiness.ts';
import { aboutRoutes } from '../../api/endpoints/about/routes.ts';
import { agentOf } from '../../api/endpoints/agent-protocol/agent-of.ts';
import { artifactRoutes } from '../../api/endpoints/agent-protocol/artifacts/routes.ts';
import { reportRoutes } from '../../api/endpoints/agent-protocol/reports.ts';
import { agentRoutes } from '../../api/endpoints/agents/all.ts';
import { artifactRetentionRoutes } from '../../api/endpoints/artifact-retention/routes.ts';
import { jobArtifactRoutes } from '../../api/endpoints/artifacts/routes.ts';
import { backupRoutes } from '../../api/endpoints/backups/routes.ts';
import { consoleRoutes } from '../../api/endpoints/consoles/routes.ts';
import { dashboardRoutes } from '../../api/endpoints/dashboard/routes.ts';
import { withDocumentation } from '../../api/endpoints/documentation/routes.ts';
import { Cctray } from '../../api/endpoints/feeds/cctray.ts';
import { feedRoutes } from '../../api/endpoints/feeds/routes.ts';
import { maintenanceRoutes } from '../../api/endpoints/maintenance/routes.ts';
import { internalMaterialRoutes } from '../../api/endpoints/materials/internal.ts';
import { modificationPageRoute } from '../../api/endpoints/materials/modification-pages.ts';
import { materialNotifyRoutes } from '../../api/endpoints/materials/notify.ts';
import { materialRoutes } from '../../api/endpoints/materials/routes.ts';
import { lazyMetrics, metricsRoute } from '../../api/endpoints/metrics/routes.ts';
import { pipelineGroupListRoute } from '../../api/endpoints/pipelines/group-list.ts';
import { replicaRoutes } from '../../api/endpoints/replicas/routes.ts';
import { buildRoutes } from '../../api/endpoints/runs/routes.ts';
import { supportBundleRoute } from '../../api/endpoints/support-bundle/routes.ts';
import { testRoutes } from '../../api/endpoints/tests/routes.ts';
import { withScopes } from '../../api/endpoints/token-scopes/route-scopes.ts';
import { webhookRoutes } from '../../api/endpoints/webhooks/routes.ts';
import { webhookSecretRoutes } from '../../api/endpoints/webhooks/secret.ts';
import { ofKeeper } from '../../api/engine/keeper-routes.ts';
import type { Route } from '../../api/engine/route.ts';
import { withSpaceGuard } from '../../api/engine/space-guard.ts';
import type { RequestCounts } from '../../api/http/telemetry/request-counts.ts';
import { manifestOf } from '../../backup/manifest-file.ts';
import { DashboardViews } from '../../builds/dashboard/views.ts';
import { buildTables } from '../../builds/runs/build-tables.ts';
import type { Readiness } from '../../health/readiness.ts';
import type { BuildJobs } from '../../maintenance/running-systems.ts';
import { stageNamesOf } from '../../resources/pipelines/stage-names.ts';
import { DashboardReader } from '../../store/builds/dashboard-rows.ts';
import { TestReportTable } from '../../store/builds/test-reports.ts';
import { TestResults } from '../../store/builds/test-results.ts';
import { artifactJobs } from '../builds/artifact-jobs.ts';
import { isPurged } from '../builds/artifacts.ts';
import { consoleJobs, consoleOwner, storedIdentifier } from '../builds/console-jobs.ts';
import type { OpenLive } from '../live/open.ts';
import type { BaseParts, OpenParts } from '../open/all-parts.ts';
import { replicasOf } from '../sharing/only-replica.ts';
import { metricSources } from '../telemetry/metric-sources.ts';
import { DIALECT_VERSION, fullVersion } from '../version.ts';
import { configurationRoutes, pipelineKinds } from './configuration.ts';
import { historyRoutes } from './history.ts';
import { allUserRoutes } from './users.ts';

interface Parts extends BaseParts, OpenParts {
  readonly counts: RequestCounts;
  readonly live: OpenLive;
  readonly readiness: Readiness;
  readonly buildJobs: BuildJobs;
  /** The server is about to stop. */
  readonly stopping: AbortSignal;
  readonly more: readonly Route[];
}

export function serverRoutes(parts: Parts): readonly Route[] {
  const { settings, version, configuration, resourceParts, disk, more } = parts;
  const metrics = lazyMetrics(parts.counts, configuration.config, metricSources(parts));
  const own = [
    ...routesOfConfiguration(parts),
    ...housekeepingRoutes(parts),
    ...historyRoutes(resourceParts, parts),
    ...aboutRoutes({ version, dialect: DIALECT_VERSION, health: configuration.health, readiness: parts.readiness }),
    aboutPageRoute(fullVersion(version)),
    metricsRoute(metrics, settings.openMetrics),
    supportBundleRoute(async (now) => (await import('../telemetry/support-bundle.ts')).supportBundle(parts, metrics, now)),
    ...routesOfBuilds(parts),
    ...parts.live.routes,
  ];
  // An extension may stand in for a route.
  const isReplaced = ({ method, path, version: of, media }: Route) =>
    more.some((other) => other.method === method && other.path === path && other.version === of && other.media === media);
  const routes = [...own.filter((route) => !isReplaced(route)), ...more];
  const { kinds } = configuration;
  return withDocumentation(withScopes(withSpaceGuard(routes, disk), kinds), kinds, version.release, settings.contextPath);
}

/** The configuration, its materials and its config repos. */
function routesOfConfiguration(parts: Parts): Route[] {
  const { settings, log, configuration, resourceParts, pauses, materialRules, localMaterials, materials, configRepos } = parts;
  const { config, cipher, plugins } = configuration;
  const authorizationHost = { directory: settings.dataDir };
  return [
    ...configurationRoutes(resourceParts, {
      cipher,
      plugins,
      pauses,
      authorizationHost,
      smtp: settings.mail,
      log,
      materialRules,
      localMaterials,
      users: parts.people.users,
      backups: parts.backup.backups,
    }),
    ...ofKeeper([
      ...materialRoutes({ ...resourceParts, ...materials }),
      ...internalMaterialRoutes({ ...resourceParts, ...materials }),
      modificationPageRoute({ ...resourceParts, ...materials }),
      ...materialNotifyRoutes(materials),
      ...webhookRoutes({ ...materials, updateConfigRepo: configRepos.updateConfigRepo }),
      ...configRepos.routes,
    ]),
    pipelineGroupListRoute(pipelineKinds(config), { ...resourceParts, ...materials, stagesOf: stageNamesOf }),
    ...webhookSecretRoutes(config.kind('serverIdentity'), resourceParts),
  ];
}

/** Builds, and the requests of agents. */
function routesOfBuilds(parts: Parts): Route[] {
  const { builds, people, resourceParts, materials, configuration, database, pauses, stopping } = parts;
  const { registry, sessions, engine, agentJobs: jobs } = builds;
  const { stored, modifications } = materials.ofBuilds;
  const common = { access: people.access, config: builds.config, tables: buildTables(database) };
  return [
    ...buildRoutes({
      ...builds.routeParts,
      ...common,
      engine,
      materials: stored,
      modifications,
      pauses,
      cipher: configuration.cipher,
    }),
    ...testRoutes({ ...common, reports: new TestReportTable(database), results: new TestResults(database) }),
    ...agentRoutes({ ...resourceParts, registry, sessions, jobs, access: people.access, stopping }),
    ...artifactRetentionRoutes(builds.retention),
    ...reportRoutes({ registry, sessions, queue: engine.queue }),
    ...artifactRoutes({
      access: { registry, sessions },
      jobs: artifactJobs({ state: engine.state, queue: engine.queue, modifications }),
      storage: builds.artifacts.storage,
      artifacts: builds.artifacts.rows,
      publications: builds.artifacts.publications,
      hasRoomFor: (bytes) => builds.artifacts.hasRoomFor(bytes),
      consoles: builds.consoles,
    }),
    ...consoleRoutes({
      consoles: builds.consoles,
      jobs: consoleJobs(engine.state, builds.config),
      access: people.access,
      isStillAllowed: people.isStillAllowed,
      agentOf: (request) => agentOf({ registry, sessions }, request),
      ownerOf: consoleOwner(engine.state, engine.queue),
      stopping,
    }),
    ...routesOfArtifacts(parts),
    ...routesOfDashboard(parts),
  ];
}

/** All pipelines at a glance, for people and for programs. */
function routesOfDashboard({ builds, people, configuration: { config }, database, pauses }: Parts): Route[] {
  const { dashboard: index, engine } = builds;
  const { access, users, serialWrites } = people;
  const tables = buildTables(database);
  return [
    ...dashboardRoutes({
      index,
      access,
      config,
      views: new DashboardViews(database, serialWrites),
      revalidate: identityRevalidator(config, users),
    }),
    ...feedRoutes({
      index,
      access,
      tables,
      pauses,
      config: builds.config,
      cctray: new Cctray({ reader: new DashboardReader(database), tables }),
      waiting: () => engine.state.active.waiting(),
      nameOf: (key) => config.of('pipelines').find(key)?.value.name,
    }),
  ];
}

function routesOfArtifacts({ builds, people: { access, users }, configuration: { cipher }, database: { shared } }: Parts): Route[] {
  const { engine, consoles } = builds;
  const { rows: files, storage, uploads } = builds.artifacts;
  const jobs = consoleJobs(engine.state, builds.config);
  return jobArtifactRoutes({
    jobs,
    access,
    files,
    storage,
    consoles,
    users,
    uploads,
    identifierOf: (job) => storedIdentifier(engine.state, job),
    sign: (text) => cipher.signAddress(text),
    refresh: async () => {
      await shared?.refresh();
    },
    hasRoomFor: (bytes) => builds.artifacts.hasRoomFor(bytes),
    isPurged: (job) => isPurged(engine.state, job),
    touch: (job) => engine.queue.touch(job),
  });
}

/** The API for the upkeep of the server: users, backups, events, maintenance mode and replicas. */
function housekeepingRoutes({
  settings,
  version,
  database,
  runner,
  configuration,
  people,
  backup,
  disk,
  events,
  ...parts
}: Parts): Route[] {
  const { backups } = backup;
  return [
    ...allUserRoutes({
      ...people,
      config: configuration.config,
      database,
      version: version.release,
      contextPath: settings.contextPath,
      readiness: parts.readiness,
      isInMaintenance: () => parts.maintenance.isOn,
    }),
    ...ofKeeper(
      backupRoutes({
        contextPath: settings.contextPath,
        refuseWhenFull: () => disk.refuseWhenFull(['database', 'artifacts']),
        request: (user) => backups.request(user, 'USER'),
        settled: () => backups.settled(),
        running: () => backups.running,
        find: (id) => backups.find(id),
        list: (limit, before) => backups.list(limit, before),
        manifest: manifestOf,
      }),
    ),
    ...events.routes,
    ...maintenanceRoutes({ mode: parts.maintenance, runner, builds: parts.buildJobs, stopping: parts.stopping }),
    ...replicaRoutes(version.release, (base) => replicasOf(parts.sharing, version, base)),
    readinessRoute(parts.readiness),
  ];
}

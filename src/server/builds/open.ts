// Joins builds to the server: the engine, agents and consoles, and the events that wake them.
import { autoRegisterKeyIn } from '../../api/endpoints/agents/registration-key.ts';
import { jobOfElasticAgentId } from '../../builds/agents/elastic-agent-id.ts';
import { AgentRegistry } from '../../builds/agents/registry.ts';
import { AgentSessions } from '../../builds/agents/sessions.ts';
import { Consoles } from '../../builds/console/consoles.ts';
import type { DashboardIndex } from '../../builds/dashboard/dashboard-index.ts';
import type { ElasticAgents } from '../../builds/elastic/elastic-agents.ts';
import type { BuildEngine } from '../../builds/engine.ts';
import type { EngineAgents } from '../../builds/engine-parts.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { systemTimeZone } from '../../kit/cron/zone.ts';
import type { MaterialPoller } from '../../materials/polling/poller.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';
import type { TestReports } from '../../test-reports/test-reports.ts';
import { materialTools } from '../open/material-tools.ts';
import { agentJobs, buildJobs } from './agent-jobs.ts';
import { OpenArtifacts } from './artifacts.ts';
import { AwaitedPolls } from './awaited-polls.ts';
import { openBuildConfig } from './build-config.ts';
import { openDashboard } from './dashboard.ts';
import { openElasticAgents } from './elastic.ts';
import { openEngine } from './engine.ts';
import { identifierOf } from './job-identifier.ts';
import type { BuildParts } from './parts.ts';
import { openTimers, type PipelineTimers } from './pipeline-timers.ts';
import { type OpenRetention, openRetention } from './retention.ts';
import { openTestReports } from './test-reports.ts';
import { wakeBuilds } from './wake.ts';

export type OpenBuilds = ReturnType<typeof openBuilds>;

export function openBuilds(parts: BuildParts) {
  const { config, cipher, plugins, database, eventLog, log } = parts;
  const tools = materialTools(cipher, plugins);
  const { catalogue, poller } = parts.materials.ofBuilds;
  const held = heldBy(parts);
  // Only the server that has the lease writes the state of builds.
  const write: CommitWithEvents = (writes) => eventLog.events.write(writes, database);
  const onFailure = (failure: unknown, message: string) => log.error({ err: failure }, message);
  const buildConfig = openBuildConfig({ config, catalogue, tools, past: parts.history.past });
  const registry = new AgentRegistry({ database, write, config, autoRegisterKey: () => autoRegisterKeyIn({ config, tools: { cipher } }) });
  const folder = () => parts.artifactsDir;
  const consoles = new Consoles({ root: folder, log });
  const artifacts = new OpenArtifacts({ ...parts, write, folder, onFailure });
  const testReports = openTestReports({ database, artifacts, onRead: (pipelineKey) => engine.state.changed(pipelineKey), log });
  const polls = new AwaitedPolls(poller, (repo) => parts.configRepos.isReading(repo));
  let ownUrl = '';
  const siteUrl = () => siteUrlIn(parts) ?? ownUrl;
  const engine: BuildEngine = openEngine(parts, {
    tools,
    config: buildConfig,
    write,
    polls,
    siteUrl,
    onFailure,
    consoles: { note: (job, line) => consoles.note(identifierOf(job), line), end: (job) => consoles.end(identifierOf(job)) },
    artifacts: artifacts.ofEngine,
    agents: agentsOf(registry, () => sessions),
    elastic: { stateOf: (job) => elastic.stateOf(job) },
    ...held,
  });
  const sessions: AgentSessions = openSessions(registry, engine, onFailure);
  const elastic: ElasticAgents = openElasticAgents(parts, { engine, registry, sessions, consoles, siteUrl, onFailure, ...held });
  const timers = openTimers(parts.runner, engine, config);
  const retention = openRetention(parts, {
    config: buildConfig,
    write,
    storage: artifacts.storage,
    publications: artifacts.publications,
    folder: () => (parts.artifactBucket ? undefined : folder()),
  });
  const dashboard = openDashboard({ ...parts, buildConfig, onFailure });
  wakeBuilds(parts, { engine, registry, sessions, timers, onFailure });
  return {
    engine,
    config: buildConfig,
    registry,
    sessions,
    consoles,
    artifacts,
    dashboard,
    agentJobs: agentJobs(engine),
    buildJobs: buildJobs(engine),
    /** Other parts that its routes need. */
    retention: retention.routeParts,
    routeParts: routePartsOf(parts, { registry, sessions, elastic, polls, poller }, held),
    /** The server can be reached there. */
    listensAt: (url: string) => void (ownUrl = url),
    ...lifecycleOf({ engine, registry, sessions, elastic, timers, retention, consoles, artifacts, testReports, dashboard }),
  };
}

interface StartedParts {
  readonly engine: BuildEngine;
  readonly registry: AgentRegistry;
  readonly sessions: AgentSessions;
  readonly elastic: ElasticAgents;
  readonly timers: PipelineTimers;
  readonly retention: OpenRetention;
  readonly consoles: Consoles;
  readonly artifacts: OpenArtifacts;
  readonly testReports: TestReports;
  readonly dashboard: DashboardIndex;
}

function lifecycleOf({
  engine,
  registry,
  sessions,
  elastic,
  timers,
  retention,
  consoles,
  artifacts,
  testReports,
  dashboard,
}: StartedParts) {
  return {
    start: async () => {
      await registry.start();
      await engine.start();
      dashboard.start();
      artifacts.start(engine.state);
      sessions.start();
      elastic.start();
      timers.start();
      retention.start();
      await testReports.start();
    },
    stop: async () => {
      await elastic.stop();
      sessions.stop();
      timers.stop();
      await engine.stop();
      await dashboard.stop();
      await registry.stop();
      await consoles.close();
      await testReports.stop();
      await artifacts.stop();
    },
  };
}

function agentsOf(registry: AgentRegistry, sessions: () => AgentSessions): EngineAgents {
  return {
    all: () => registry.all().map((agent) => assignable(registry.environments.factsOf(agent))),
    nameOf: (uuid) => registry.find(uuid)?.hostname ?? uuid,
    wake: (uuid) => sessions().wake(uuid),
    wakeAll: () => sessions().wakeAll(),
  };
}

interface HoldFacts {
  isInMaintenance(): boolean;
  isDiskFull(): boolean;
}

/** The conditions that keep new builds from starting. */
function heldBy({ maintenance, disk }: BuildParts): HoldFacts {
  return { isInMaintenance: () => maintenance.isOn, isDiskFull: () => disk.isFull('artifacts') || disk.isFull('database') };
}

type RouteSources = Pick<StartedParts, 'registry' | 'sessions' | 'elastic'> & {
  readonly polls: AwaitedPolls;
  readonly poller: MaterialPoller;
};

function routePartsOf({ database }: BuildParts, { registry, sessions, elastic, polls, poller }: RouteSources, held: HoldFacts) {
  return {
    ...held,
    timeZone: systemTimeZone,
    now: () => database.now(),
    poll: (fingerprints: readonly string[], signal: AbortSignal) => polls.poll(fingerprints, signal),
    pollFailureOf: (fingerprint: string) => poller.stateOf(fingerprint).notes.find(({ level }) => level === 'ERROR')?.detail,
    hasContact: (uuid: string) => sessions.hasContact(uuid),
    elasticStateOf: (job: ActiveJob) => elastic.stateOf(job)?.message,
    agents: () => registry.all().map((agent) => ({ hostname: agent.hostname, ...assignable(registry.environments.factsOf(agent)) })),
  };
}

type OnFailure = (failure: unknown, message: string) => void;

function openSessions(registry: AgentRegistry, { queue }: BuildEngine, onFailure: OnFailure): AgentSessions {
  const rescheduled = (work: Promise<void>) => void work.catch((failure: unknown) => onFailure(failure, 'a job could not be rescheduled'));
  return new AgentSessions({
    registry,
    nextOrder: (agent, poll) => queue.nextOrder(assignable(agent), poll),
    onRestart: (uuid) => rescheduled(queue.restarted(uuid)),
    onLost: (uuid) => rescheduled(queue.lost(uuid)),
    onFailure: (failure) => onFailure(failure, 'an agent could not be told what to do'),
  });
}

function assignable({ uuid, configState, environments, resources, elastic }: ReturnType<AgentRegistry['environments']['factsOf']>) {
  const createdForJob = elastic ? jobOfElasticAgentId(elastic.agentId) : undefined;
  return { uuid, state: configState, environments, resources, elasticPlugin: elastic?.pluginId ?? null, createdForJob };
}

function siteUrlIn({ config }: Pick<BuildParts, 'config'>): string | undefined {
  const { secureSiteUrl, siteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return (secureSiteUrl || siteUrl)?.replace(/\/$/, '') || undefined;
}

// Joins builds to the server: the engine, agents and consoles, and what wakes them.
import { resolve } from 'node:path';
import { autoRegisterKeyIn } from '../../api/endpoints/agents/registration-key.ts';
import { AgentRegistry } from '../../builds/agents/registry.ts';
import { AgentSessions } from '../../builds/agents/sessions.ts';
import { Consoles } from '../../builds/console/consoles.ts';
import { BuildEngine } from '../../builds/engine.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { locatorOf } from '../../builds/jobs/work.ts';
import type { Pauses } from '../../builds/pauses.ts';
import { Timers } from '../../builds/trigger/timers.ts';
import type { DiskWatch } from '../../health/disk/watch.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic.ts';
import type { Log } from '../../kit/log.ts';
import type { OpenMail } from '../../mail/open-mail.ts';
import type { MaintenanceMode } from '../../maintenance/mode.ts';
import type { Filters } from '../../notifications/filters.ts';
import type { Database } from '../../store/database.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';
import type { OpenAccess } from '../open/access.ts';
import type { OpenConfiguration } from '../open/configuration.ts';
import type { OpenHistory } from '../open/history.ts';
import { materialTools } from '../open/material-tools.ts';
import type { OpenMaterials } from '../open/materials.ts';
import { openSecrets } from '../open/secrets.ts';
import { agentJobs, buildJobs } from './agent-jobs.ts';
import { openBuildConfig } from './build-config.ts';
import { buildHealth } from './build-health.ts';
import { AwaitedPolls } from './polls.ts';
import { mailStatements } from './stage-mails.ts';
import { pipelinesWokenBy } from './woken-by.ts';
import { openWorkTools } from './work-tools.ts';

interface Parts
  extends Pick<OpenConfiguration, 'config' | 'changes' | 'cipher' | 'plugins' | 'health' | 'eventLog'>,
    Pick<OpenAccess, 'users' | 'access'> {
  readonly dataDir: string;
  /** That of the keeper. */
  readonly database: Database;
  readonly runner: PeriodicRunner;
  readonly pauses: Pauses;
  readonly filters: Filters;
  readonly mail: OpenMail;
  readonly maintenance: MaintenanceMode;
  readonly disk: DiskWatch;
  readonly materials: OpenMaterials;
  readonly history: OpenHistory;
  readonly log: Log;
}

const HUNG_EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export type OpenBuilds = ReturnType<typeof openBuilds>;

export function openBuilds(parts: Parts) {
  const { config, changes, cipher, plugins, database, dataDir, eventLog, pauses, mail, maintenance, materials, disk, log, runner } = parts;
  const tools = materialTools(cipher, plugins);
  const { catalogue, stored, modifications, poller } = materials.ofBuilds;
  // Only the server that has the lease writes what builds do.
  const write: CommitWithEvents = (writes) => eventLog.events.write(writes, database);
  const onFailure = (failure: unknown, what: string) => log.error({ err: failure }, what);
  const buildConfig = openBuildConfig({ config, catalogue, tools, past: parts.history.past });
  const registry = new AgentRegistry({ database, write, config, autoRegisterKey: () => autoRegisterKeyIn({ config, tools: { cipher } }) });
  const consoles = new Consoles({ root: () => artifactsFolder(parts), log });
  const polls = new AwaitedPolls(poller);
  const isInMaintenance = () => maintenance.isOn;
  const isDiskFull = () => disk.isFull('artifacts') || disk.isFull('database');
  let ownUrl = '';
  const siteUrl = () => siteUrlIn(parts) ?? ownUrl;
  const engine: BuildEngine = new BuildEngine({
    database,
    write,
    config: buildConfig,
    materials: stored,
    modifications,
    tools: openWorkTools({ cipher, tools, secrets: openSecrets(config, plugins, { directory: dataDir }), serverUrl: siteUrl }),
    agents: {
      all: () => registry.all().map((agent) => assignable(registry.environments.factsOf(agent))),
      wake: (uuid) => sessions.wake(uuid),
      wakeAll: () => sessions.wakeAll(),
    },
    consoles: { note: (job, line) => consoles.note(placeOf(job), line), end: (job) => consoles.end(placeOf(job)) },
    isInMaintenance,
    isDiskFull,
    pauseOf: (pipeline) => pauses.find(pipeline),
    poll: (fingerprints, signal) => polls.poll(fingerprints, signal),
    mails: (completed) => mailStatements(completed, { ...parts, state: engine.state, outbox: mail.outbox, modifications, siteUrl }),
    sendMails: () => mail.outbox.wake(),
    health: buildHealth(parts.health),
    onFailure,
  });
  const sessions = new AgentSessions({
    registry,
    nextOrder: (agent, poll) => engine.queue.nextOrder(assignable(agent), poll),
    onRestart: (uuid) =>
      void engine.queue.restarted(uuid).catch((failure: unknown) => onFailure(failure, 'a job could not be rescheduled')),
    onLost: (uuid) => {
      const job = engine.state.active.ofAgent(uuid);
      if (job)
        engine.queue
          .reschedule(job, 'The agent has lost contact.')
          .catch((failure: unknown) => onFailure(failure, 'a job could not be rescheduled'));
    },
    onFailure: (failure) => onFailure(failure, 'an agent could not be told what to do'),
  });
  const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timers = new Timers(timeZone);
  const timerJob = addJobs(runner, engine, timers);
  const setTimer = (name: string) => {
    const pipeline = config.of('pipelines').find(name)?.value;
    if (pipeline) timers.set(pipeline, Date.now());
    else timers.remove(name);
  };
  poller.listen(({ material, isChanged }) => {
    if (isChanged) engine.wakeUsersOf(material.fingerprint).catch((failure: unknown) => onFailure(failure, 'pipelines could not be woken'));
  });
  maintenance.listen(() => {
    if (maintenance.isOn || !registry.isStarted) return;
    engine.wakeAll();
    sessions.wakeAll();
  });
  changes.listen(({ edits }) => {
    if (!registry.isStarted) return;
    const woken = pipelinesWokenBy(edits, config);
    for (const { kind, key } of edits) if (kind.name === 'pipelines') setTimer(key);
    timerJob.refresh();
    engine
      .releaseLocks(woken)
      .then(() => engine.wake(woken))
      .catch((failure: unknown) => onFailure(failure, 'a lock could not be released'));
    if (edits.some(({ kind }) => GIVES_OUT.has(kind.name))) sessions.wakeAll();
    if (edits.some(({ kind }) => DEFINES_JOBS.has(kind.name)))
      engine.cancelGone().catch((failure: unknown) => onFailure(failure, 'jobs that are gone could not be cancelled'));
  });
  return {
    engine,
    config: buildConfig,
    registry,
    sessions,
    consoles,
    agentJobs: agentJobs(engine),
    buildJobs: buildJobs(engine),
    /** What its routes ask for besides. */
    asked: {
      isInMaintenance,
      isDiskFull,
      timeZone,
      now: () => database.now(),
      poll: (fingerprints: readonly string[], signal: AbortSignal) => polls.poll(fingerprints, signal),
      agents: () => registry.all().map((agent) => ({ hostname: agent.hostname, ...assignable(registry.environments.factsOf(agent)) })),
    },
    /** The server can be reached there. */
    listensAt: (url: string) => {
      ownUrl = url;
    },
    start: async () => {
      await registry.start();
      for (const { key } of config.of('pipelines').all()) setTimer(key);
      await engine.start();
      sessions.start();
      timerJob.refresh();
    },
    stop: async () => {
      sessions.stop();
      timers.clear();
      await engine.stop();
      await registry.stop();
      await consoles.close();
    },
  };
}

/** Whose changes may let agents take jobs that they could not take before. */
const GIVES_OUT = new Set(['environments', 'environmentParts', 'elasticProfiles', 'clusterProfiles']);
const DEFINES_JOBS = new Set(['pipelines', 'templates']);

function addJobs(runner: PeriodicRunner, engine: BuildEngine, timers: Timers) {
  runner.add({ name: 'hung jobs', when: { every: HUNG_EVERY_MS }, runsWhilePaused: true, run: () => engine.endHung() });
  runner.add({
    name: 'timers that have fired',
    when: { every: DAY_MS },
    run: () => engine.state.pipelines.forgetFirings(Date.now() - DAY_MS),
  });
  return runner.add({
    name: 'timers of pipelines',
    when: { next: () => timers.nextAt },
    run: async () => {
      for (const { pipeline, instant, onlyOnChanges } of timers.takeDue(Date.now())) {
        if (!(await engine.state.pipelines.fire(pipeline.toLowerCase(), instant)) || engine.requests.isWaiting(pipeline)) continue;
        const request = { kind: 'timer', onlyOnChanges, by: 'timer', variables: [], pegged: [], updatesMaterials: true } as const;
        await engine.requests.add(pipeline, request);
      }
    },
  });
}

export function placeOf(job: ActiveJob) {
  const { pipeline, pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, job: name } = locatorOf(job);
  return { pipeline, pipelineCounter, stage, stageCounter, job: name };
}

function assignable({ uuid, configState, environments, resources, elastic }: ReturnType<AgentRegistry['environments']['factsOf']>) {
  return { uuid, state: configState, environments, resources, elasticPlugin: elastic?.pluginId ?? null };
}

function artifactsFolder({ config, dataDir }: Pick<Parts, 'config' | 'dataDir'>): string {
  return resolve(dataDir, config.of('artifactsConfig').find('')?.value.artifactsDir ?? 'artifacts');
}

function siteUrlIn({ config }: Pick<Parts, 'config'>): string | undefined {
  const { secureSiteUrl, siteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return (secureSiteUrl || siteUrl)?.replace(/\/$/, '') || undefined;
}

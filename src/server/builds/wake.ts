// The events that wake builds: news of materials, changes of the configuration, the end of maintenance mode.
import type { AgentRegistry } from '../../builds/agents/registry.ts';
import type { AgentSessions } from '../../builds/agents/sessions.ts';
import type { BuildEngine } from '../../builds/engine.ts';
import { DISK_CHECK_MS } from '../../health/disk/watch.ts';
import type { KindName } from '../../shape/configuration.ts';
import { affectedPipelines } from './affected-pipelines.ts';
import { forgetPipelines } from './build-health.ts';
import type { BuildParts } from './parts.ts';
import type { PipelineTimers } from './pipeline-timers.ts';

interface Woken {
  readonly engine: BuildEngine;
  readonly registry: AgentRegistry;
  readonly sessions: AgentSessions;
  readonly timers: PipelineTimers;
  onFailure(failure: unknown, message: string): void;
}

/** Kinds whose changes may let agents take jobs that they could not take before. */
const GIVES_OUT: ReadonlySet<KindName> = new Set(['environments', 'environmentParts', 'elasticProfiles', 'clusterProfiles']);
const DEFINES_JOBS: ReadonlySet<KindName> = new Set(['pipelines', 'templates']);

export function wakeBuilds(parts: BuildParts, { engine, registry, sessions, timers, onFailure }: Woken): void {
  const { config, changes, maintenance, materials } = parts;
  const wakeAll = () => {
    engine.wakeAll();
    sessions.wakeAll();
  };
  const noted = (work: Promise<unknown>, message: string) => void work.catch((failure: unknown) => onFailure(failure, message));
  materials.ofBuilds.poller.listen(({ material, isChanged }) => {
    if (isChanged) noted(engine.wakeUsersOf(material.fingerprint), 'pipelines could not be woken');
  });
  maintenance.listen(() => {
    if (maintenance.isOn || !registry.isStarted) return;
    engine.requests.resume();
    wakeAll();
  });
  wakeAfterFullDisk(parts, wakeAll);
  const wakePipelinesWithoutAgent = () => engine.wake(engine.triggers.pipelinesWithoutAgent);
  registry.listen(wakePipelinesWithoutAgent);
  changes.listen(({ edits }) => {
    if (!registry.isStarted) return;
    const woken = affectedPipelines(edits, config);
    const edited = edits.filter(({ kind }) => kind.name === 'pipelines').map(({ key }) => key);
    timers.changed(edited);
    forgetPipelines(
      parts.health,
      edited.filter((key) => !config.of('pipelines').find(key)),
    );
    const released = engine.releaseLocks(woken).then(() => engine.wake(woken));
    noted(released, 'a lock could not be released');
    if (edits.some(({ kind }) => GIVES_OUT.has(kind.name))) {
      sessions.wakeAll();
      wakePipelinesWithoutAgent();
    }
    if (edits.some(({ kind }) => DEFINES_JOBS.has(kind.name)))
      noted(engine.cancelUnconfigured(), 'jobs that are gone could not be cancelled');
  });
}

/** There is no event when the disk has room again, so it is checked periodically. */
function wakeAfterFullDisk({ runner, disk }: Pick<BuildParts, 'runner' | 'disk'>, wake: () => void): void {
  let wasFull = false;
  const run = async () => {
    const isFull = disk.isFull('artifacts') || disk.isFull('database');
    if (wasFull && !isFull) wake();
    wasFull = isFull;
  };
  runner.add({ name: 'builds after a full disk', when: { every: DISK_CHECK_MS }, runsWhilePaused: true, run });
}

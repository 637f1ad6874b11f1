// Work of builds that comes by the clock: timers of pipelines, and jobs that are hung.
import type { BuildEngine } from '../../builds/engine.ts';
import { Timers } from '../../builds/trigger/timers.ts';
import type { Config } from '../../config/current.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import { systemTimeZone } from '../../kit/cron/zone.ts';

const HUNG_EVERY_MS = 30_000;
const MISSED_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

export interface PipelineTimers {
  /** Looks at the timers of all pipelines. */
  start(): void;
  stop(): void;
  /** To be called when these pipelines have changed. */
  changed(names: readonly string[]): void;
}

export function openTimers(runner: PeriodicRunner, engine: BuildEngine, config: Config): PipelineTimers {
  const timers = new Timers(systemTimeZone);
  const job = addJobs(runner, engine, timers);
  const pipelines = config.of('pipelines');
  const changed = (names: readonly string[]) => {
    for (const name of names) {
      const pipeline = pipelines.find(name)?.value;
      if (pipeline) timers.set(pipeline, Date.now());
      else timers.remove(name);
    }
    job.refresh();
  };
  return { changed, start: () => changed([...pipelines.all()].map(({ key }) => key)), stop: () => timers.clear() };
}

function addJobs(runner: PeriodicRunner, engine: BuildEngine, timers: Timers) {
  runner.add({ name: 'hung jobs', when: { every: HUNG_EVERY_MS }, runsWhilePaused: true, run: () => engine.cancelHung() });
  runner.add({ name: 'missed modifications of materials', when: { every: MISSED_EVERY_MS }, run: () => engine.findMissed() });
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
        const request = { kind: 'timer', onlyOnChanges, by: 'timer', variables: [], pinned: [], updatesMaterials: true } as const;
        await engine.requests.add(pipeline, request);
      }
    },
  });
}

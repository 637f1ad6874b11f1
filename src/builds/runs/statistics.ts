// How the last runs of a pipeline went: how long they took, how long they waited for agents, how many passed. Never more than so many runs.
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { BuildTables } from './build-tables.ts';

export interface StageStatistics {
  readonly key: string;
  readonly name: string;
  readonly result: string;
  /** Milliseconds, from being scheduled to the end; undefined: it is under way. */
  readonly duration: number | undefined;
  /** The longest that one of its jobs waited for an agent. */
  readonly waiting: number;
}

export interface RunStatistics {
  readonly run: Run;
  /** `Unknown`: something of it is under way. */
  readonly result: string;
  /** The stages together: time between them, such as for an approval, does not count. */
  readonly duration: number;
  readonly waiting: number;
  readonly stages: readonly StageStatistics[];
}

export interface Summary {
  /** The number of runs that have ended. */
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** From 0 to 1; undefined: none has ended. */
  readonly successRate: number | undefined;
  /** Of those that passed. */
  readonly duration: Spread | undefined;
  readonly waiting: Spread | undefined;
}

export interface Spread {
  readonly median: number;
  readonly p90: number;
}

interface CountedRun {
  readonly result: string;
  readonly duration: number | undefined;
  readonly waiting: number;
}

/** Newest first. */
export async function runStatistics(
  { runs, stageRuns, figures }: Pick<BuildTables, 'runs' | 'stageRuns' | 'figures'>,
  pipelineKey: string,
  limit: number,
): Promise<RunStatistics[]> {
  const last = await runs.before(pipelineKey, Number.MAX_SAFE_INTEGER, limit);
  const all = await stageRuns.ofRuns(last.map(({ id }) => id));
  const latest = all.filter(({ is_latest: isLatest }) => isLatest === 1);
  const waits = await figures.waits(latest.map(({ id }) => id));
  const ofRun = Map.groupBy(latest, ({ run_id: id }) => id);
  return last.map((run) => statisticsOf(run, ofRun.get(run.id) ?? [], waits));
}

function statisticsOf(run: Run, stageRuns: readonly StageRun[], waits: ReadonlyMap<number, number>): RunStatistics {
  const stages = stageRuns
    .toSorted((one, other) => one.position - other.position)
    .map(({ id, stage_key: key, stage: name, result, completed_at: end, scheduled_at: begin }) => ({
      key,
      name,
      result,
      duration: end === null ? undefined : end - begin,
      waiting: waits.get(id) ?? 0,
    }));
  return {
    run,
    result: resultOf(stages),
    duration: sum(stages.map(({ duration }) => duration ?? 0)),
    waiting: sum(stages.map(({ waiting }) => waiting)),
    stages,
  };
}

function resultOf(stages: readonly StageStatistics[]): string {
  const has = (wanted: string) => stages.some(({ result }) => result === wanted);
  if (stages.length === 0 || has('Unknown')) return 'Unknown';
  return ['Cancelled', 'Failed'].find(has) ?? 'Passed';
}

export function summaryOf(all: readonly CountedRun[]): Summary {
  const ended = all.filter(({ result }) => result !== 'Unknown');
  const count = (wanted: string) => ended.filter(({ result }) => result === wanted).length;
  const passed = count('Passed');
  const ofPassed = ended.filter(({ result }) => result === 'Passed').flatMap(({ duration }) => duration ?? []);
  return {
    runs: ended.length,
    passed,
    failed: count('Failed'),
    cancelled: count('Cancelled'),
    successRate: ended.length === 0 ? undefined : passed / ended.length,
    duration: spreadOf(ofPassed),
    waiting: spreadOf(ended.map(({ waiting }) => waiting)),
  };
}

/** By nearest rank: each is a value that there was. Undefined: there is nothing to go by. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return { median: at(0.5), p90: at(0.9) };
}

/** The days on which runs were scheduled, in UTC, newest first. */
export function byDay(runs: readonly RunStatistics[]): Map<string, RunStatistics[]> {
  return Map.groupBy(runs, ({ run }) => new Date(run.scheduled_at).toISOString().slice(0, 'yyyy-mm-dd'.length));
}

/** All of the same stage, in the order of the newest run. */
export function byStage(runs: readonly RunStatistics[]): Map<string, StageStatistics[]> {
  return Map.groupBy(
    runs.flatMap(({ stages }) => stages),
    ({ key }) => key,
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0);
}

// Runs of upstream pipelines for tests of fan-in, and the decisions about them.
import {
  type CandidateRequest,
  FAN_IN_BATCH,
  type FanInDecision,
  type FanInDependency,
  type FanInPipeline,
  fanIn,
  type UpstreamRun,
} from '../../../src/builds/trigger/fan-in.ts';

/** Runs of upstream pipelines, newest first. */
export type Histories = Readonly<Record<string, readonly UpstreamRun[]>>;

/** A run from revisions of roots, such as `{ a: 3 }`: modification 3, made in second 3. Two numbers: from two revisions of it. */
export function run(
  counter: number,
  roots: Readonly<Record<string, number | readonly number[]>>,
  isPassed = true,
  name = 'up',
): UpstreamRun {
  const revisions = Object.entries(roots).map(
    ([root, made]) => [root, [made].flat().map((modification) => ({ modification, time: modification * 1000 }))] as const,
  );
  const passed = isPassed ? { modification: 1000 + counter, locator: `${name}/${counter}/s/1` } : null;
  return { run: counter, counter, passed, roots: new Map(revisions) };
}

export const dependency = (pipeline: string, ...roots: readonly string[]): FanInDependency => ({
  fingerprint: `fp-${pipeline}`,
  pipeline,
  stage: 's',
  roots: new Set(roots),
});
export const root = (fingerprint: string, modification: number | null) => ({
  fingerprint,
  latest: modification === null ? null : { modification, time: modification * 1000 },
});

export function decide(of: Omit<FanInPipeline, 'pipeline'>, histories: Histories, asked: CandidateRequest[] = []): Promise<FanInDecision> {
  return fanIn({ pipeline: 'deploy', ...of }, (wanted, from) => {
    asked.push({ dependency: wanted, from });
    return histories[wanted.pipeline]!.slice(from, from + FAN_IN_BATCH);
  });
}

export const countersOf = (decision: FanInDecision) =>
  decision.isCompatible ? decision.revisions.flatMap((revision) => revision.run?.counter ?? []) : decision.reason;
export const rootsOf = (decision: FanInDecision) =>
  decision.isCompatible &&
  Object.fromEntries(decision.revisions.filter((one) => !one.run).map((one) => [one.fingerprint, one.modification]));

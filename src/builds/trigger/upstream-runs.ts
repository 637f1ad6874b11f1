// Reads the upstream runs that fan-in chooses from, each with all the repositories it came from.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { setNewest } from '../../kit/newest-entries.ts';
import type { Run, Runs } from '../../store/builds/runs.ts';
import type { StageRuns } from '../../store/builds/stage-runs.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import { type BuildConfig, keyOfName, type PipelineDefinition } from '../configured.ts';
import { FAN_IN_BATCH, type FanInDependency, type RootRevision, type UpstreamRun } from './fan-in.ts';

type Roots = ReadonlyMap<string, readonly RootRevision[]>;

/** The roots of a run never change: they are cached for so many runs. */
const MAX_KEPT = 20_000;
const DEPENDENCY = 'dependency';

export interface UpstreamRunsParts {
  readonly config: Pick<BuildConfig, 'find'>;
  readonly runs: Pick<Runs, 'before' | 'revisionsOf'>;
  readonly stageRuns: Pick<StageRuns, 'ofRuns'>;
  readonly materials: Pick<Materials, 'find'>;
  readonly modifications: Pick<Modifications, 'byIds' | 'find'>;
}

export class UpstreamRuns {
  readonly #parts: UpstreamRunsParts;
  readonly #roots = new Map<number, Roots>();

  constructor(parts: UpstreamRunsParts) {
    this.#parts = parts;
  }

  /** The dependencies of a pipeline, each with all repositories below it by the present configuration. */
  async dependenciesOf(pipeline: PipelineDefinition): Promise<FanInDependency[]> {
    const known = new Map<string, ReadonlySet<string>>();
    const found: FanInDependency[] = [];
    for (const { fingerprint, upstream } of pipeline.materials) {
      if (!upstream) continue;
      const roots = await this.#rootsBelow(upstream.pipeline, known);
      found.push({ fingerprint, pipeline: upstream.pipeline, stage: upstream.stage, roots });
    }
    return found;
  }

  /** Remembers where it was for each dependency: `from` only grows. */
  candidates(): (dependency: FanInDependency, from: number) => Promise<readonly UpstreamRun[]> {
    const below = new Map<string, number>();
    return async (dependency) => {
      const { fingerprint } = dependency;
      const key = keyOfName(dependency.pipeline);
      const runs = await this.#parts.runs.before(key, below.get(fingerprint) ?? Number.MAX_SAFE_INTEGER, FAN_IN_BATCH);
      if (runs.length > 0) below.set(fingerprint, runs.at(-1)!.counter);
      return this.#upstreamRuns(runs, dependency);
    };
  }

  async #upstreamRuns(runs: readonly Run[], { fingerprint, stage }: FanInDependency): Promise<UpstreamRun[]> {
    const stageKey = keyOfName(stage);
    const passed = (await this.#parts.stageRuns.ofRuns(runs.map(({ id }) => id))).filter(
      ({ stage_key: key, result }) => key === stageKey && result === 'Passed',
    );
    const material = await this.#parts.materials.find(fingerprint);
    const found: UpstreamRun[] = [];
    for (const run of runs) {
      if (found.length > 0) await pause();
      // The pipelines below were notified of the last one that passed.
      const last = passed.filter(({ run_id: id }) => id === run.id).at(-1);
      const locator = last && `${run.pipeline}/${run.counter}/${last.stage}/${last.counter}`;
      const modification = locator && material ? await this.#parts.modifications.find(material.id, locator) : undefined;
      const roots = modification ? await this.#rootsOf(run.id) : new Map();
      found.push({
        run: run.id,
        counter: run.counter,
        passed: modification && locator ? { modification: modification.id, locator } : null,
        roots,
      });
    }
    return found;
  }

  async #rootsBelow(pipeline: string, known: Map<string, ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    const key = keyOfName(pipeline);
    const before = known.get(key);
    if (before) return before;
    known.set(key, new Set());
    const roots = new Set<string>();
    for (const { fingerprint, upstream } of (await this.#parts.config.find(pipeline))?.materials ?? []) {
      if (!upstream) roots.add(fingerprint);
      else for (const root of await this.#rootsBelow(upstream.pipeline, known)) roots.add(root);
    }
    known.set(key, roots);
    return roots;
  }

  async #rootsOf(runId: number): Promise<Roots> {
    const kept = this.#roots.get(runId);
    if (kept) return kept;
    const revisions = await this.#parts.runs.revisionsOf([runId]);
    const modifications = new Map((await this.#parts.modifications.byIds(revisions.map(({ last }) => last))).map((one) => [one.id, one]));
    const roots = new Map<string, RootRevision[]>();
    const add = (root: string, revision: RootRevision) => {
      const all = roots.getOrInsertComputed(root, () => []);
      if (!all.some(({ modification }) => modification === revision.modification)) all.push(revision);
    };
    for (const { fingerprint, type, last } of revisions) {
      const modification = modifications.get(last);
      if (!modification) continue;
      if (type !== DEPENDENCY) add(fingerprint, rootRevision(modification));
      else if (modification.pipelineId !== undefined) {
        await pause();
        for (const [root, below] of await this.#rootsOf(modification.pipelineId)) for (const revision of below) add(root, revision);
      }
    }
    return setNewest(this.#roots, runId, roots, MAX_KEPT);
  }
}

function rootRevision({ id, modifiedTime }: Modification): RootRevision {
  return { modification: id, time: modifiedTime.getTime() };
}

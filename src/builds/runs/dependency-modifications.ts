// The modification that a passed stage is to the pipelines that depend on it: its revision is the locator of the stage.
import type { CompiledQuery } from 'kysely';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modification, Modifications, ModificationToRecord } from '../../store/materials/modifications.ts';
import type { BuildState } from '../build-state.ts';
import { type ConfiguredMaterial, keyOfName } from '../configured.ts';
import { FAN_IN_LIMIT } from '../trigger/fan-in.ts';

type Upstream = NonNullable<ConfiguredMaterial['upstream']>;

export interface DependencyParts {
  readonly state: Pick<BuildState, 'runs' | 'stageRuns' | 'pipelineMutex'>;
  readonly materials: Pick<Materials, 'ensure' | 'find'>;
  readonly modifications: Pick<Modifications, 'statementsFor' | 'record' | 'newest'>;
}

const TYPE = 'dependency';

export class DependencyModifications {
  readonly #parts: DependencyParts;

  constructor(parts: DependencyParts) {
    this.#parts = parts;
  }

  /** For the commit that completes the stage. `materials`: the stage as a material of the pipelines that depend on it. */
  async statementsFor(
    run: Run,
    stageRun: StageRun,
    at: number,
    materials: readonly ConfiguredMaterial[],
  ): Promise<readonly CompiledQuery[]> {
    const statements: CompiledQuery[] = [];
    for (const material of materials) {
      const { id } = await this.#ensure(material);
      statements.push(...(await this.#parts.modifications.statementsFor(id, modificationOf(run, stageRun, at))));
    }
    return statements;
  }

  /**
   * Adds the times the stage has passed while no pipeline depended on it, as far back as fan-in looks. Returns whether there were any.
   * Holds the mutex of the upstream pipeline: none of its stages is completed meanwhile.
   */
  async backfill(material: ConfiguredMaterial): Promise<boolean> {
    const { upstream } = material;
    if (!upstream || !(await this.#isBehind(material, upstream))) return false;
    return this.#parts.state.pipelineMutex.run(keyOfName(upstream.pipeline), () => this.#addMissing(material, upstream));
  }

  async #isBehind({ fingerprint }: ConfiguredMaterial, { pipeline, stage }: Upstream): Promise<boolean> {
    const { state, materials } = this.#parts;
    const passed = await state.stageRuns.lastPassed(keyOfName(pipeline), keyOfName(stage));
    const run = passed && (await state.runs.byId(passed.run_id));
    if (!run) return false;
    return (await materials.find(fingerprint))?.lastRevision !== locatorOf(run, passed);
  }

  async #addMissing(material: ConfiguredMaterial, { pipeline, stage }: Upstream): Promise<boolean> {
    const { state, modifications } = this.#parts;
    const stageKey = keyOfName(stage);
    const newest = (await modifications.newest([material.fingerprint])).get(material.fingerprint);
    const since = newest && (await this.#stageRunOf(newest, stageKey));
    const passed = await state.stageRuns.passedAfter(keyOfName(pipeline), stageKey, since?.id ?? 0, FAN_IN_LIMIT);
    const runs = new Map((await state.runs.byIds(passed.map(({ run_id: id }) => id))).map((run) => [run.id, run]));
    const missing = passed.flatMap((stageRun) => {
      const run = runs.get(stageRun.run_id);
      return run ? [modificationOf(run, stageRun, stageRun.completed_at ?? stageRun.scheduled_at)] : [];
    });
    const { id } = await this.#ensure(material);
    return (await modifications.record(id, missing)) > 0;
  }

  async #stageRunOf({ pipelineId, revision }: Modification, stageKey: string): Promise<StageRun | undefined> {
    const counter = Number(revision.slice(revision.lastIndexOf('/') + 1));
    return pipelineId === undefined ? undefined : this.#parts.state.stageRuns.find(pipelineId, stageKey, counter);
  }

  #ensure({ fingerprint, description }: ConfiguredMaterial) {
    return this.#parts.materials.ensure({ fingerprint, type: TYPE, description });
  }
}

function modificationOf(run: Run, stageRun: StageRun, at: number): ModificationToRecord {
  return {
    revision: locatorOf(run, stageRun),
    userName: null,
    email: null,
    comment: null,
    modifiedTime: new Date(at),
    files: [],
    pipelineLabel: run.label,
    pipelineId: run.id,
  };
}

function locatorOf(run: Run, stageRun: StageRun): string {
  return `${run.pipeline}/${run.counter}/${stageRun.stage}/${stageRun.counter}`;
}

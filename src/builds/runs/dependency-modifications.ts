// The modification that a passed stage is to the pipelines that depend on it: its revision is the locator of the stage.
import type { CompiledQuery } from 'kysely';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modifications, ModificationToRecord } from '../../store/materials/modifications.ts';
import type { BuildState } from '../build-state.ts';
import { type ConfiguredMaterial, keyOfName } from '../configured.ts';

export interface DependencyParts {
  readonly state: Pick<BuildState, 'runs' | 'stageRuns'>;
  readonly materials: Pick<Materials, 'ensure' | 'find'>;
  readonly modifications: Pick<Modifications, 'statementsFor' | 'record'>;
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

  /** For a stage that has passed before any pipeline depended on it: the last time it passed counts. */
  async backfill(material: ConfiguredMaterial): Promise<void> {
    const { state, materials, modifications } = this.#parts;
    const { upstream, fingerprint } = material;
    if (!upstream || (await materials.find(fingerprint))) return;
    const passed = await state.stageRuns.lastPassed(keyOfName(upstream.pipeline), keyOfName(upstream.stage));
    const run = passed && (await state.runs.byId(passed.run_id));
    if (!run) return;
    const { id } = await this.#ensure(material);
    await modifications.record(id, [modificationOf(run, passed, passed.completed_at ?? passed.scheduled_at)]);
  }

  #ensure({ fingerprint, description }: ConfiguredMaterial) {
    return this.#parts.materials.ensure({ fingerprint, type: TYPE, description });
  }
}

function modificationOf(run: Run, stageRun: StageRun, at: number): ModificationToRecord {
  return {
    revision: `${run.pipeline}/${run.counter}/${stageRun.stage}/${stageRun.counter}`,
    userName: null,
    email: null,
    comment: null,
    modifiedTime: new Date(at),
    files: [],
    pipelineLabel: run.label,
    pipelineId: run.id,
  };
}

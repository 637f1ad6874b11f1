// The rows of a run: its counter, its label, its revisions, its first stage and the jobs of that.
import type { CompiledQuery } from 'kysely';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { isSecret } from '../../shape/secrets/secret.ts';
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { BuildState } from '../build-state.ts';
import type { PipelineDefinition } from '../configured.ts';
import type { ActiveStageRun } from '../jobs/active-builds.ts';
import type { StoredPlan } from '../jobs/stored-plan.ts';
import type { ChosenRevision, MaterialFacts } from '../trigger/decide-trigger.ts';
import type { Cause } from './cause.ts';
import { labelOf } from './label.ts';
import { newStageRun } from './new-stage-run.ts';
import { runScheduled } from './run-events.ts';

export interface RunToSchedule {
  readonly pipeline: PipelineDefinition;
  readonly cause: Cause;
  readonly revisions: readonly ChosenRevision[];
  readonly facts: readonly MaterialFacts[];
  readonly plans: readonly StoredPlan[];
  readonly configuration: number;
}

export interface NewRun {
  readonly run: Run;
  readonly stageRun: ActiveStageRun;
  readonly statements: readonly CompiledQuery[];
  readonly events: readonly NewEvent[];
}

export async function newRun(
  state: BuildState,
  modifications: Pick<Modifications, 'byIds' | 'firstAfter'>,
  to: RunToSchedule,
): Promise<NewRun> {
  const { pipeline, cause, plans, configuration } = to;
  const now = state.now();
  const counter = (await state.pipelines.lastCounter(pipeline.key)) + 1;
  const chosen = await modifications.byIds(to.revisions.map(({ modification }) => modification));
  const run: Run = {
    id: state.ids.next('runs'),
    pipeline_key: pipeline.key,
    pipeline: pipeline.name,
    counter,
    label: labelOf(pipeline.labelTemplate, { counter, ...labelFacts(pipeline, to.revisions, chosen) }),
    trigger: cause.kind === 'auto' ? 'changes' : cause.kind,
    message: cause.message,
    approver: cause.approver,
    comment: null,
    scheduled_at: now,
    variables: JSON.stringify(cause.variables),
    configuration,
  };
  const revisions = await revisionRows(run, modifications, to);
  const approvedBy = cause.approver;
  const first = newStageRun(state, { run, stage: pipeline.stages[0]!, position: 0, counter: 1, approvedBy, configuration, plans }, now);
  const isLocking = pipeline.lockBehavior !== 'none';
  return {
    run,
    stageRun: first.stageRun,
    events: [runScheduled(first.stageRun), first.event],
    statements: [
      ...state.runs.add(run, revisions),
      state.pipelines.setCounter(pipeline.key, counter),
      ...first.statements,
      ...(isLocking ? [state.pipelines.lock(pipeline.key, run.id)] : []),
      state.pipelines.removeRequest(pipeline.key),
    ],
  };
}

function labelFacts({ variables, materials }: PipelineDefinition, revisions: readonly ChosenRevision[], chosen: readonly Modification[]) {
  const byId = new Map(chosen.map((modification) => [modification.id, modification]));
  const idOf = new Map(revisions.map(({ fingerprint, modification }) => [fingerprint, modification]));
  return {
    variables: variables.map(({ name, value }) => ({ name, value: isSecret(value) ? null : value })),
    materials: materials.map(({ name, upstream, fingerprint }) => {
      const { pipelineLabel, revision } = byId.get(idOf.get(fingerprint)!)!;
      return { name: name ?? upstream?.pipeline ?? null, revision: pipelineLabel ?? revision };
    }),
  };
}

/** The changes of a material reach from the first one that no run had to the chosen one. */
async function revisionRows(
  run: Run,
  modifications: Pick<Modifications, 'firstAfter'>,
  { pipeline, revisions, facts }: RunToSchedule,
): Promise<RunRevision[]> {
  const chosen = new Map(revisions.map((revision) => [revision.fingerprint, revision]));
  const factsOf = new Map(facts.map((one) => [one.fingerprint, one]));
  const rows: RunRevision[] = [];
  for (const [position, { fingerprint, type, name, folder, description }] of pipeline.materials.entries()) {
    if (position > 0) await pause();
    const { modification: last, isChanged } = chosen.get(fingerprint)!;
    const { newestEver } = factsOf.get(fingerprint)!;
    const isFirst = newestEver === undefined || !isChanged;
    const first = isFirst ? last : ((await modifications.firstAfter(fingerprint, newestEver)) ?? last);
    rows.push({
      run_id: run.id,
      position,
      pipeline_key: run.pipeline_key,
      fingerprint,
      type,
      name,
      folder,
      description,
      is_changed: Number(isChanged),
      first,
      last,
    });
  }
  return rows;
}

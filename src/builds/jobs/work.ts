// The work of a job, as its agent gets it: made from the plan when the job is assigned, with secrets in clear, and kept nowhere.
import type { JobLocator, Work, WorkMaterial, WorkVariable } from '../../contracts/agent-protocol/work.ts';
import type { PolledMaterial } from '../../materials/clients/client.ts';
import type { Secret } from '../../shape/secrets/secret.ts';
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { BuildState } from '../build-state.ts';
import { type BuildConfig, type ConfiguredVariable, keyOfName, type PipelineEnvironment } from '../configured.ts';
import type { ActiveJob } from './active-builds.ts';
import { type AssignableAgent, isInEnvironment } from './assign.ts';
import { environmentOf } from './environment.ts';
import { type ExternalTools, externalFetches, workArtifacts } from './external-artifacts.ts';
import { fetchSource, findSource } from './fetch-sources.ts';
import type { MaterialFacts } from './materials/material-variables.ts';
import { overlapping } from './materials/shared-folders.ts';
import { type PlannedMaterial, plannedMaterial, type StageContext } from './stored-plan.ts';
import { type FetchSource, workTasks } from './work-tasks.ts';

/** For the work of one job. */
export interface WorkTools extends ExternalTools {
  /** The secrets that were looked up so far, each on its own. */
  readonly lookedUp: ReadonlySet<string>;
  /** The data that the client of a material needs, with secrets in clear. Rejects with a message without them. */
  clearMaterial(material: PlannedMaterial, owner: MaterialOwner): Promise<PolledMaterial>;
  /** The values of variables in clear. `owner`: whose rules of secret configs count. */
  clearVariables(variables: readonly ConfiguredVariable[], owner: VariableOwner): Promise<readonly WorkVariable[]>;
  open(secret: Secret): string;
  materialFacts(material: PlannedMaterial, clear: PolledMaterial | undefined, revision: RevisionOfMaterial): MaterialFacts;
  workMaterial(material: PlannedMaterial, clear: PolledMaterial, revision: string): WorkMaterial | undefined;
  /** The address that agents reach the server by. */
  serverUrl(): string;
  /** The trace that a job belongs to, for programs its tasks call; undefined: none is recorded. */
  traceparentOf?(job: ActiveJob): string | undefined;
}

export interface VariableOwner {
  readonly type: 'pipeline_group' | 'environment';
  readonly name: string;
}

/** What the addresses and the secrets of a material depend on, of the pipeline that has it. */
export type MaterialOwner = Pick<StageContext, 'group' | 'parameters'>;

export interface RevisionOfMaterial {
  readonly isChanged: boolean;
  readonly from: Modification;
  readonly to: Modification;
}

export interface WorkParts {
  readonly state: BuildState;
  readonly config: Pick<BuildConfig, 'at' | 'environmentOf'>;
  readonly modifications: Pick<Modifications, 'byIds'>;
  readonly tools: WorkTools;
}

export async function workOf(job: ActiveJob, agent: AssignableAgent, parts: WorkParts): Promise<Work> {
  const { tools, state } = parts;
  const { row, stageRun, plan } = job;
  const { run, row: stage } = stageRun;
  const { context } = plan;
  const revisions = await state.runs.revisionsOf([run.id]);
  const materials = await materialsOf(run, context, revisions, parts);
  const group: VariableOwner = { type: 'pipeline_group', name: context.group };
  const given = JSON.parse(run.variables) as readonly ConfiguredVariable[];
  const inEnvironment = presentEnvironment(run, agent, parts);
  const environment = environmentOf({
    serverUrl: tools.serverUrl(),
    group: context.group,
    environment: inEnvironment && {
      name: inEnvironment.name,
      variables: await tools.clearVariables(inEnvironment.variables, { type: 'environment', name: inEnvironment.name }),
    },
    agentResources: agent.resources,
    approver: run.approver,
    pipeline: run.pipeline,
    counter: run.counter,
    label: run.label,
    stage: stage.stage,
    stageCounter: stage.counter,
    rerunOfCounter: stage.rerun_of_counter,
    job: row.name,
    materials: materials.map(({ facts }) => facts),
    variables: await tools.clearVariables(plan.job.variables, group),
    instance: plan.job.instance,
    triggerVariables: await tools.clearVariables(given, group),
    traceparent: tools.traceparentOf?.(job),
  });
  const located = await locate(job, revisions, parts);
  return {
    job: row.id,
    epoch: row.epoch,
    locator: locatorOf(job),
    is_first: row.epoch === 1,
    fetch_materials: context.fetchMaterials,
    clean_working_directory: context.cleanWorkingDirectory,
    materials: materials.flatMap(({ work }) => work ?? []),
    environment,
    tasks: workTasks(plan.job.tasks, {
      locate: (source) => located.get(textOf(source)) ?? nothingToFetch(source),
      external: await externalFetches(plan.job.tasks, run.pipeline, context.group, tools),
      open: tools.open,
    }),
    artifacts: await workArtifacts(plan.job.artifacts, context.group, tools),
    // The last member, when all values are in clear.
    ...(tools.lookedUp.size > 0 && { secrets: [...tools.lookedUp] }),
  };
}

export function locatorOf({ row, stageRun: { run, row: stage } }: ActiveJob): JobLocator {
  return { pipeline: run.pipeline, pipeline_counter: run.counter, stage: stage.stage, stage_counter: stage.counter, job: row.name };
}

/**
 * Its variables are those of the environment that the agent was chosen by, not those of the time of scheduling: a pipeline that is moved
 * while its job waits must not take the secrets of one environment to the agents of another.
 */
function presentEnvironment({ pipeline }: Run, agent: AssignableAgent, { config }: WorkParts): PipelineEnvironment | null {
  const environment = config.environmentOf(pipeline) ?? null;
  if (isInEnvironment(agent, environment?.name ?? null)) return environment;
  throw new Error('The pipeline has just been moved to another environment. Run the job again.');
}

interface OwnedMaterial {
  readonly material: PlannedMaterial;
  readonly owner: MaterialOwner;
}

async function materialsOf(run: Run, context: StageContext, revisions: readonly RunRevision[], parts: WorkParts) {
  const { modifications, tools } = parts;
  const found = await modifications.byIds(revisions.flatMap(({ first, last }) => [first, last]));
  const byId = new Map(found.map((modification) => [modification.id, modification]));
  const present = context.materials.map((material) => ({ material, owner: context }));
  const gone = revisions.filter(({ fingerprint }) => !context.materials.some((material) => material.fingerprint === fingerprint));
  const all = await Promise.all(
    [...present, ...(await materialsThen(run, context, gone, parts))].flatMap((owned) => {
      const used = revisions.find(({ fingerprint }) => fingerprint === owned.material.fingerprint);
      const [from, to] = [used && byId.get(used.first), used && byId.get(used.last)];
      // A material that the pipeline has got since then is not part of this run.
      if (!used || !from || !to) return [];
      return [materialOf(owned, { isChanged: used.is_changed === 1, from, to }, tools)];
    }),
  );
  if (gone.length > 0) mustLieApart(all.flatMap(({ work }) => work ?? []));
  return all;
}

/** One would overwrite the sources of the other. */
function mustLieApart(materials: readonly WorkMaterial[]): void {
  const both = overlapping(materials);
  if (!both) return;
  const [one, other] = both.map(({ description, destination }) => `${description} (${destination ?? 'the folder of the pipeline'})`);
  throw new Error(
    `The materials of the pipeline have changed since the run was made, so two of the run would share a folder: ${one} and ${other}. Run the stage with its original configuration, or start a new run.`,
  );
}

/** The materials of a run that its pipeline does not have any more, as they were: a job without its sources must not begin. */
async function materialsThen(
  { pipeline, configuration }: Run,
  { group }: StageContext,
  gone: readonly RunRevision[],
  { config }: WorkParts,
): Promise<readonly OwnedMaterial[]> {
  const then = gone.length === 0 ? undefined : await config.at(configuration, pipeline);
  // What another group was allowed to read is not for the tasks of this one.
  const owner = then && keyOfName(then.group) === keyOfName(group) ? then : undefined;
  return gone.flatMap(({ fingerprint, type, name }) => {
    const material = owner?.materials.find((one) => one.fingerprint === fingerprint);
    if (owner && material) return [{ material: plannedMaterial(material), owner }];
    if (type === 'dependency') return [];
    const label = name === null ? `a ${type} material` : `the ${type} material '${name}'`;
    throw new Error(`The run was made from ${label} that the pipeline does not have any more. Start a new run.`);
  });
}

async function materialOf({ material, owner }: OwnedMaterial, revision: RevisionOfMaterial, tools: WorkTools) {
  const clear = material.type === 'dependency' ? undefined : await tools.clearMaterial(material, owner);
  return {
    facts: tools.materialFacts(material, clear, revision),
    work: clear && tools.workMaterial(material, clear, revision.to.revision),
  };
}

/** The jobs that tasks fetch artifacts of, by the text of their source. */
async function locate({ stageRun, plan }: ActiveJob, revisions: readonly RunRevision[], parts: WorkParts) {
  const located = new Map<string, JobLocator>();
  const all = plan.job.tasks.flatMap((task) => [task, task.attributes.onCancel]);
  for (const task of all) {
    if (task === null || task === 'nothing' || task.type !== 'fetch') continue;
    const source = fetchSource(task.attributes);
    const found = await findSource(source, stageRun, revisions, parts);
    if (!found) continue;
    const { pipeline, counter } = found.run;
    const { stage, counter: stageCounter } = found.stageRun;
    located.set(textOf(source), { pipeline, pipeline_counter: counter, stage, stage_counter: stageCounter, job: source.job });
  }
  return located;
}

function textOf({ pipelines, stage, job }: FetchSource): string {
  return JSON.stringify([pipelines, stage, job]);
}

function nothingToFetch({ pipelines, stage, job }: FetchSource): string {
  const source = [...pipelines, stage, job].join('/');
  return `There is no run of ${source} whose artifacts could be fetched.`;
}

// The tasks of a job's plan, as its agent gets them.
import type { CancelTask, JobLocator, RunIf, WorkTask } from '../../contracts/agent-protocol/work.ts';
import { SCRIPT_PLUGIN } from '../../shape/script-plugin.ts';
import type { Secret } from '../../shape/secrets/secret.ts';
import { isSecret } from '../../shape/secrets/secret.ts';
import type { ExternalFetch, FetchAttributes } from './external-artifacts.ts';
import type { JobPlan } from './plan.ts';

type PlanTask = JobPlan['tasks'][number];
type PlanCancelTask = Exclude<PlanTask['attributes']['onCancel'], 'nothing' | null>;
type TaskOf<T extends PlanTask['type']> = Extract<PlanCancelTask, { type: T }>;

/** The job whose artifacts a task fetches. */
export interface FetchSource {
  /** Empty: the own pipeline. Otherwise the upstream pipelines from the one with the artifacts to the one that is a material here. */
  readonly pipelines: readonly string[];
  readonly stage: string;
  readonly job: string;
}

export interface WorkTaskFacts {
  /** Finds the run that was used, and the latest run of its stage; a text says why there is none. */
  locate(source: FetchSource): JobLocator | string;
  /** How an external artifact is fetched; a text says why it cannot be. */
  external(attributes: FetchAttributes): ExternalFetch | string;
  open(secret: Secret): string;
}

/** The plugin of script tasks in pipeline files: other servers have it. */
const SCRIPT_EXECUTOR = 'script-executor';
/** The settings of that plugin that name the shell. */
const SHELL_SETTINGS = ['shell', 'shtype'];

export function workTasks(tasks: JobPlan['tasks'], facts: WorkTaskFacts): WorkTask[] {
  return tasks.map((task, index) => {
    const { runIf, onCancel } = task.attributes;
    return {
      ...workOf(task, 2 * index, facts),
      run_if: runIf.filter(isRunIf),
      on_cancel: onCancel === 'nothing' ? { type: 'none' } : onCancel && workOf(onCancel, 2 * index + 1, facts),
    };
  });
}

/** The task with this id in the work: each task has an id of its own, and the next id is that of its task on cancel. */
export function taskWithId(tasks: JobPlan['tasks'], id: number): PlanTask | PlanCancelTask | undefined {
  const task = tasks[Math.floor(id / 2)];
  if (id % 2 === 0) return task;
  const onCancel = task?.attributes.onCancel;
  return onCancel === 'nothing' ? undefined : (onCancel ?? undefined);
}

function isRunIf(condition: string): condition is RunIf {
  return condition === 'passed' || condition === 'failed' || condition === 'any';
}

function workOf(task: PlanTask | PlanCancelTask, id: number, facts: WorkTaskFacts): CancelTask {
  switch (task.type) {
    case 'exec': {
      const { command, args, workingDirectory, timeout } = task.attributes;
      const limit = timeout === undefined ? {} : { timeout_seconds: timeout * 60 };
      return { type: 'exec', command, arguments: args ?? [], working_directory: workingDirectory || null, ...limit };
    }
    case 'ant':
    case 'rake':
      return { type: task.type, ...buildTool(task.attributes) };
    case 'nant':
      return { type: 'nant', ...buildTool(task.attributes), nant_path: task.attributes.nantPath || null };
    case 'script': {
      const { script, shell, workingDirectory } = task.attributes;
      return { type: 'script', script, shell: shell || null, working_directory: workingDirectory || null };
    }
    case 'fetch':
      return fetchOf(task.attributes, id, facts);
    case 'pluggable_task':
      return pluginTaskOf(task.attributes, facts);
  }
}

function buildTool({ buildFile, target, workingDirectory }: TaskOf<'ant'>['attributes']) {
  return { build_file: buildFile || null, target: target || null, working_directory: workingDirectory || null };
}

function fetchOf(attributes: FetchAttributes, id: number, { locate, external }: WorkTaskFacts): CancelTask {
  const { artifactOrigin, pipeline, stage, job, source, isSourceAFile, destination } = attributes;
  const from = locate({ pipelines: pipeline ? pipeline.split('/') : [], stage, job });
  if (typeof from === 'string') return unsupported(from);
  if (artifactOrigin !== 'external')
    return { type: 'fetch', id, from, source: source ?? '', is_file: isSourceAFile, destination: destination || null };
  const fetched = external(attributes);
  return typeof fetched === 'string' ? unsupported(fetched) : { type: 'fetch_external', id, from, ...fetched };
}

function pluginTaskOf({ pluginConfiguration, configuration }: TaskOf<'pluggable_task'>['attributes'], { open }: WorkTaskFacts): CancelTask {
  const { id } = pluginConfiguration;
  const written = (...keys: readonly string[]) => configuration.find(({ key }) => keys.includes(key.toLowerCase()))?.value;
  const setting = (...keys: readonly string[]) => {
    const value = written(...keys);
    return (isSecret(value) ? open(value) : value) || null;
  };
  if (id !== SCRIPT_PLUGIN && id !== SCRIPT_EXECUTOR) return unsupported(`Agents cannot run tasks of the plugin '${id}'.`);
  const script = setting('script');
  if (script === null) return unsupported(`The task of the plugin '${id}' has no script.`);
  return {
    type: 'script',
    script,
    shell: setting(...SHELL_SETTINGS),
    working_directory: setting('working_directory', 'workingdirectory'),
    ...(isSecret(written('script')) && { is_secret: true }),
  };
}

function unsupported(reason: string): CancelTask {
  return { type: 'unsupported', reason };
}

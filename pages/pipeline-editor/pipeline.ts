// Pipelines and templates as the API has them, and the initial values of new parts.
import type { Members } from '../forms/edit/members.ts';
import type { Setting } from '../forms/edit/setting.ts';
import type { KeepsEarlier } from '../forms/edit/unsent.ts';
import type { Material } from '../forms/materials/material.ts';
import type { Variable } from '../forms/variables/variable.ts';

export const PIPELINES_VERSION = 11;
export const TEMPLATES_VERSION = 7;

/** Keeps the tasks that were entered for `on_cancel`. */
export interface TaskAttributes extends KeepsEarlier<Task> {
  /** After which results of the job it runs; none: passed. */
  readonly run_if?: readonly string[];
  readonly on_cancel?: Task | null;
  readonly nothing_on_cancel?: boolean;
  readonly command?: string;
  /** Either a list of arguments or one line of them. */
  readonly arguments?: readonly string[];
  readonly args?: string;
  readonly working_directory?: string | null;
  readonly timeout?: number;
  readonly build_file?: string | null;
  readonly target?: string | null;
  readonly nant_path?: string | null;
  readonly script?: string;
  readonly shell?: string | null;
  readonly artifact_origin?: string;
  readonly pipeline?: string | null;
  readonly stage?: string;
  readonly job?: string;
  readonly is_source_a_file?: boolean;
  readonly source?: string | null;
  readonly destination?: string | null;
  readonly artifact_id?: string | null;
  readonly plugin_configuration?: { readonly id: string; readonly version: string };
  readonly configuration?: readonly Setting[];
}

export interface Task extends KeepsEarlier<TaskAttributes> {
  readonly type: string;
  readonly attributes: TaskAttributes;
}

export interface Artifact extends KeepsEarlier<Artifact> {
  readonly type: string;
  readonly source?: string;
  readonly destination?: string | null;
  readonly artifact_id?: string;
  readonly store_id?: string;
  readonly configuration?: readonly Setting[];
}

export interface Tab {
  readonly name: string;
  readonly path: string;
}

export interface Job {
  readonly name: string;
  readonly run_instance_count: number | string | null;
  readonly timeout: number | string | null;
  readonly elastic_profile_id: string | null;
  readonly environment_variables: readonly Variable[];
  readonly resources: readonly string[];
  readonly tasks: readonly Task[];
  readonly tabs: readonly Tab[];
  readonly artifacts: readonly Artifact[];
}

export interface Stage {
  readonly name: string;
  readonly fetch_materials: boolean;
  readonly clean_working_directory: boolean;
  readonly never_cleanup_artifacts: boolean;
  readonly approval: { readonly type: string; readonly allow_only_on_success: boolean; readonly authorization: Members };
  readonly environment_variables: readonly Variable[];
  readonly jobs: readonly Job[];
}

export interface Timer {
  readonly spec: string;
  readonly only_on_changes: boolean;
}

export interface TrackingTool {
  readonly type: string;
  readonly attributes: { readonly url_pattern: string; readonly regex: string };
}

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

export interface Origin {
  readonly type: 'gocd' | 'config_repo';
  readonly id?: string;
}

/** The stages that a pipeline had before a template was chosen. Not sent: JSON leaves symbols out. */
export const OWN_STAGES = Symbol('own stages');

export interface Pipeline {
  readonly _links?: unknown;
  readonly origin?: Origin;
  readonly name: string;
  readonly group: string;
  readonly label_template: string;
  readonly lock_behavior: string;
  readonly template: string | null;
  readonly parameters: readonly Parameter[];
  readonly environment_variables: readonly Variable[];
  readonly materials: readonly Material[];
  /** null: the stages of the template. */
  readonly stages: readonly Stage[] | null;
  readonly [OWN_STAGES]?: readonly Stage[];
  readonly tracking_tool: TrackingTool | null;
  readonly timer: Timer | null;
}

export interface Template {
  readonly _links?: unknown;
  readonly name: string;
  readonly stages: readonly Stage[];
}

export const TASK_TYPES: Readonly<Record<string, { readonly title: string; readonly initial: TaskAttributes }>> = {
  exec: { title: 'Command', initial: { command: '', arguments: [] } },
  script: { title: 'Script', initial: { script: '' } },
  fetch: { title: 'Fetch an artifact', initial: { artifact_origin: 'gocd', stage: '', job: '', source: '', is_source_a_file: false } },
  ant: { title: 'Ant', initial: { target: '' } },
  nant: { title: 'NAnt', initial: { target: '' } },
  rake: { title: 'Rake', initial: { target: '' } },
  pluggable_task: { title: 'Task of a plugin', initial: { plugin_configuration: { id: '', version: '' }, configuration: [] } },
};

export const NEW_TASK: Task = { type: 'exec', attributes: { run_if: [], command: '', arguments: [] } };

export function newJob(name: string): Job {
  return {
    name,
    run_instance_count: null,
    timeout: null,
    elastic_profile_id: null,
    environment_variables: [],
    resources: [],
    tasks: [NEW_TASK],
    tabs: [],
    artifacts: [],
  };
}

export function newStage(name: string): Stage {
  return {
    name,
    fetch_materials: true,
    clean_working_directory: false,
    never_cleanup_artifacts: false,
    approval: { type: 'success', allow_only_on_success: false, authorization: { users: [], roles: [] } },
    environment_variables: [],
    jobs: [newJob('build')],
  };
}

/** A name that is not taken. */
export function unusedName(names: readonly string[], wanted: string): string {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** The name of a task for people: `make all`. */
export function taskTitle({ type, attributes }: Task): string {
  const { command, arguments: list = [], args, script, target, stage, job, source, plugin_configuration: plugin } = attributes;
  if (type === 'exec') return [command, ...(args === undefined ? list : [args])].join(' ').trim() || 'command';
  if (type === 'script') return script?.trim().split('\n', 1)[0] || 'script';
  if (type === 'fetch') return `fetch ${source || [stage, job].filter(Boolean).join('/')}`.trim();
  if (type === 'pluggable_task') return plugin?.id || 'plugin';
  return [type, target].filter(Boolean).join(' ');
}

/** The body of a request: without the members that only the server sets. */
export function bodyOf<T extends { readonly _links?: unknown; readonly origin?: unknown }>(edited: T): Omit<T, '_links' | 'origin'> {
  const { _links, origin, ...body } = edited;
  return body;
}

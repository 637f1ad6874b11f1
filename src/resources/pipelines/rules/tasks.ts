// Rules for tasks, for pipelines and templates alike.
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../../kit/text/control-characters.ts';
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import { leavesDirectory } from '../file-path.ts';
import type { CancelTask, Task, TaskOf } from '../tasks.ts';
import { type Report, reporter } from './report.ts';

const STATES = ['passed', 'failed', 'any'];
const ORIGINS = ['gocd', 'external'];

/** The names of a job in the configuration, for messages about it; `owner` is its pipeline or template. */
export interface JobNames {
  readonly owner: string;
  readonly stage: string;
  readonly job: string;
}

export function taskProblems({ type, attributes }: Task | CancelTask, at: Path, names: JobNames, problems: Problem[]): void {
  const report = reporter(problems, at);
  if ('runIf' in attributes) {
    for (const state of attributes.runIf)
      if (!STATES.includes(state)) report('run_if', `Invalid run_if '${state}'. It has to be one of '${STATES.join(', ')}'.`);
  }
  switch (type) {
    case 'exec':
      if (isBlank(attributes.command)) report('command', 'Command cannot be empty');
      break;
    case 'script':
      if (isBlank(attributes.script)) report('script', 'Script cannot be empty');
      break;
    case 'fetch':
      fetchProblems(attributes, report);
      break;
    case 'pluggable_task':
      if (isBlank(attributes.pluginConfiguration.id))
        problems.push({ at: [...at, 'plugin_configuration', 'id'], message: 'Please select a task plugin' });
      break;
  }
  controlProblems(attributes, report);
  if ('workingDirectory' in attributes && leavesDirectory(attributes.workingDirectory))
    report('working_directory', outside(type, attributes.workingDirectory, names));
  if ('onCancel' in attributes && attributes.onCancel && attributes.onCancel !== 'nothing')
    taskProblems(attributes.onCancel, [...at, 'on_cancel', 'attributes'], names, problems);
}

/** Where a task finds and leaves files. */
const PATHS = {
  workingDirectory: 'working_directory',
  buildFile: 'build_file',
  nantPath: 'nant_path',
  source: 'source',
  destination: 'destination',
} as const;

function controlProblems(attributes: object, report: Report): void {
  for (const [name, key] of Object.entries(PATHS)) {
    const path = (attributes as Readonly<Record<string, unknown>>)[name];
    if (typeof path === 'string' && hasControlCharacter(path)) report(key, NO_CONTROL_CHARACTERS);
  }
}

function outside(type: Task['type'], path: string | null, { owner, stage, job }: JobNames): string {
  return type === 'exec'
    ? `The path of the working directory for the custom command in job '${job}' in stage '${stage}' of pipeline '${owner}' is outside the agent sandbox. It must be relative to the directory where the agent checks out materials.`
    : `Task of job '${job}' in stage '${stage}' of pipeline '${owner}' has path '${path}' which is outside the working directory.`;
}

type Fetch = Omit<TaskOf<'fetch'>['attributes'], 'runIf' | 'onCancel'>;

function fetchProblems({ artifactOrigin, stage, job, source, destination, artifactId }: Fetch, report: Report): void {
  if (!ORIGINS.includes(artifactOrigin))
    report('artifact_origin', `Invalid artifact origin '${artifactOrigin}'. It has to be one of '${ORIGINS.join(', ')}'.`);
  if (isBlank(stage)) report('stage', 'Stage is a required field.');
  if (isBlank(job)) report('job', 'Job is a required field.');
  if (artifactOrigin === 'external') {
    if (isBlank(artifactId ?? '')) report('artifact_id', 'Artifact Id cannot be blank.');
  } else if (isBlank(source ?? '')) report('source', 'Should provide either srcdir or srcfile');
  if (leavesDirectory(source)) report('source', 'Invalid source path. It must be a valid relative path.');
  if (leavesDirectory(destination)) report('destination', 'Invalid destination path. It must be a valid relative path.');
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

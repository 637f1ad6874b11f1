// Rules for stages, jobs and what is in them, for pipelines and templates alike.
import { posix } from 'node:path';
import { isName, NAME_RULE } from '../../shape/fields.ts';
import { must, type Path, type Problem } from '../../shape/problem.ts';
import { variableNameProblems } from '../parts/environment-variables.ts';
import type { Artifact, Job } from './jobs.ts';
import { nameProblems, repeated } from './names.ts';
import type { Stage } from './stages.ts';
import type { CancelTask, Task } from './tasks.ts';

const LONGEST_TAB_NAME = 15;
const RESOURCE = /^[-\w\s|.#{}]*$/;
const JOB_NAME = /^[a-zA-Z0-9_\-.#{}]{1,255}$/;

/** Where a stage is: for the sentences that name it. */
interface Place {
  readonly owner: string;
  readonly stage: string;
  readonly job: string;
}

export function stageProblems(stages: readonly Stage[], owner: string): Problem[] {
  const twice = repeated(stages, (stage) => stage.name).map((index) => ({
    at: ['stages', index, 'name'],
    message: `You have defined multiple stages called '${stages[index]!.name}'. Stage names are case-insensitive and must be unique.`,
  }));
  return [...twice, ...stages.flatMap((stage, index) => oneStage(stage, ['stages', index], owner))];
}

function oneStage(stage: Stage, at: Path, owner: string): Problem[] {
  const { name, approval, environmentVariables, jobs } = stage;
  const isKnownApproval = ['success', 'manual'].includes(approval.type);
  return [
    ...nameProblems('stage', name, [...at, 'name']),
    ...must(
      isKnownApproval,
      [...at, 'approval', 'type'],
      `You have defined approval type as '${approval.type}'. Approval can only be of the type 'manual' or 'success'.`,
    ),
    ...approval.authorization.users.flatMap((user) =>
      must(user.trim() !== '', [...at, 'approval', 'authorization', 'users'], 'User cannot be blank.'),
    ),
    ...under(at, variableNameProblems(environmentVariables, 'environment_variables', `stage '${name}'`)),
    ...must(jobs.length > 0, [...at, 'jobs'], `Stage '${name}' must have at least one job.`),
    ...repeated(jobs, (job) => job.name).map((index) => ({
      at: [...at, 'jobs', index, 'name'],
      message: `You have defined multiple jobs called '${jobs[index]!.name}'. Job names are case-insensitive and must be unique.`,
    })),
    ...jobs.flatMap((job, index) => oneJob(job, [...at, 'jobs', index], { owner, stage: name, job: job.name })),
  ];
}

function oneJob(job: Job, at: Path, place: Place): Problem[] {
  return [
    ...jobNameProblems(job.name, [...at, 'name']),
    ...runProblems(job, at),
    ...timeoutProblems(job.timeout, [...at, 'timeout']),
    ...resourceProblems(job, at, place),
    ...under(at, variableNameProblems(job.environmentVariables, 'environment_variables', `job '${job.name}'`)),
    ...must(job.tasks.length > 0, [...at, 'tasks'], `Job '${job.name}' must have at least one task.`),
    ...job.tasks.flatMap((task, index) => taskProblems(task, [...at, 'tasks', index, 'attributes'], place)),
    ...tabProblems(job, at),
    ...artifactProblems(job, at),
  ];
}

function jobNameProblems(name: string, at: Path): Problem[] {
  if (name.trim() === '') return must(false, at, 'Name is a required field');
  const reserved = /-(runOnAll|runInstance)-\d+$/.exec(name)?.[1];
  return [
    ...must(
      JOB_NAME.test(name),
      at,
      `Invalid job name '${name}'. This must be alphanumeric and may contain underscores and periods. The maximum allowed length is 255 characters.`,
    ),
    ...must(!reserved, at, `A job cannot have '${reserved}' in it's name: ${name} because it is a reserved keyword`),
  ];
}

function runProblems({ runInstanceCount: count, elasticProfileId }: Job, at: Path): Problem[] {
  const place = [...at, 'run_instance_count'];
  const instances = 'as it represents number of instances Slipway needs to spawn during runtime.';
  if (count === null) return [];
  if (count === 'all') return must(!elasticProfileId, place, "Job cannot be set to 'run on all agents' when assigned to an elastic agent");
  if (count === 0) return must(false, place, `'Run Instance Count' cannot be 0 ${instances}`);
  if (typeof count === 'number' && count < 0) return must(false, place, `'Run Instance Count' cannot be a negative number ${instances}`);
  return must(Number.isInteger(count), place, `'Run Instance Count' should be a valid positive integer ${instances}`);
}

function timeoutProblems(timeout: Job['timeout'], at: Path): Problem[] {
  if (timeout === null || timeout === 'never') return [];
  if (typeof timeout === 'string')
    return must(timeout.includes('#{'), at, 'Timeout should be a valid number as it represents number of minutes');
  return must(timeout >= 0, at, 'Timeout cannot be a negative number as it represents number of minutes');
}

function resourceProblems({ resources, elasticProfileId }: Job, at: Path, { owner, stage, job }: Place): Problem[] {
  const both = 'Job cannot have both `resource` and `elasticProfileId`';
  return [
    ...must(elasticProfileId === null || elasticProfileId.trim() !== '', [...at, 'elastic_profile_id'], 'Must not be a blank string'),
    ...(elasticProfileId && resources.length > 0
      ? [...must(false, [...at, 'elastic_profile_id'], both), ...must(false, [...at, 'resources'], both)]
      : []),
    ...resources.flatMap((resource) =>
      resource.trim() === ''
        ? must(
            false,
            [...at, 'resources'],
            `Empty resource name in job "${job}" of stage "${stage}" of pipeline "${owner}". If a template is used, please ensure that the resource parameters are defined for this pipeline.`,
          )
        : must(
            RESOURCE.test(resource),
            [...at, 'resources'],
            `Resource name '${resource}' is not valid. Valid names much match '^[-\\w\\s|.]*$'`,
          ),
    ),
  ];
}

function taskProblems({ type, attributes }: Task | CancelTask, at: Path, place: Place): Problem[] {
  const { owner, stage, job } = place;
  const cancel =
    'onCancel' in attributes && attributes.onCancel ? taskProblems(attributes.onCancel, [...at, 'on_cancel', 'attributes'], place) : [];
  const runIf = 'runIf' in attributes ? attributes.runIf : [];
  const states = runIf.flatMap((state) =>
    must(
      ['passed', 'failed', 'any'].includes(state),
      [...at, 'run_if'],
      `Invalid run_if '${state}'. It has to be one of 'passed, failed, any'.`,
    ),
  );
  const outside = `Task of job '${job}' in stage '${stage}' of pipeline '${owner}' has path '${'workingDirectory' in attributes ? attributes.workingDirectory : ''}' which is outside the working directory.`;
  const inside = 'workingDirectory' in attributes && leavesDirectory(attributes.workingDirectory);
  const directory = (message: string) => must(!inside, [...at, 'working_directory'], message);
  const own = (): Problem[] => {
    switch (type) {
      case 'exec':
        return [
          ...must(attributes.command.trim() !== '', [...at, 'command'], 'Command cannot be empty'),
          ...directory(
            `The path of the working directory for the custom command in job '${job}' in stage '${stage}' of pipeline '${owner}' is outside the agent sandbox. It must be relative to the directory where the agent checks out materials.`,
          ),
        ];
      case 'script':
        return [...must(attributes.script.trim() !== '', [...at, 'script'], 'Script cannot be empty'), ...directory(outside)];
      case 'fetch':
        return fetchProblems(attributes, at);
      case 'pluggable_task':
        return must(attributes.pluginConfiguration.id.trim() !== '', [...at, 'plugin_configuration', 'id'], 'Please select a task plugin');
      default:
        return directory(outside);
    }
  };
  return [...states, ...own(), ...cancel];
}

interface Fetch {
  readonly artifactOrigin: string;
  readonly stage: string;
  readonly job: string;
  readonly source: string | null;
  readonly destination: string | null;
  readonly artifactId: string | null;
}

function fetchProblems({ artifactOrigin, stage, job, source, destination, artifactId }: Fetch, at: Path): Problem[] {
  const origins = ['gocd', 'external'];
  return [
    ...must(
      origins.includes(artifactOrigin),
      [...at, 'artifact_origin'],
      `Invalid artifact origin '${artifactOrigin}'. It has to be one of '${origins.join(', ')}'.`,
    ),
    ...must(stage.trim() !== '', [...at, 'stage'], 'Stage is a required field.'),
    ...must(job.trim() !== '', [...at, 'job'], 'Job is a required field.'),
    ...(artifactOrigin === 'external'
      ? must((artifactId ?? '').trim() !== '', [...at, 'artifact_id'], 'Artifact Id cannot be blank.')
      : must((source ?? '').trim() !== '', [...at, 'source'], 'Should provide either srcdir or srcfile')),
    ...must(!leavesDirectory(source), [...at, 'source'], 'Invalid source path. It must be a valid relative path.'),
    ...must(!leavesDirectory(destination), [...at, 'destination'], 'Invalid destination path. It must be a valid relative path.'),
  ];
}

function tabProblems({ tabs }: Job, at: Path): Problem[] {
  return [
    ...repeated(tabs, (tab) => tab.name).map((index) => ({
      at: [...at, 'tabs', index, 'name'],
      message: `Tab name '${tabs[index]!.name}' is not unique.`,
    })),
    ...tabs.flatMap(({ name, path }, index) => [
      ...must(name.length <= LONGEST_TAB_NAME, [...at, 'tabs', index, 'name'], 'Tab name should not exceed 15 characters'),
      ...must(isName(name), [...at, 'tabs', index, 'name'], `Tab name '${name}' is invalid. ${NAME_RULE}`),
      ...must(
        path !== '' && !/\s/.test(path),
        [...at, 'tabs', index, 'path'],
        `Tab path '${path}' is invalid. This must be a valid file path.`,
      ),
    ]),
  ];
}

function artifactProblems({ artifacts, name }: Job, at: Path): Problem[] {
  const place = (index: number, key: string) => [...at, 'artifacts', index, key];
  const builtIn = (artifact: Artifact) =>
    artifact.type === 'external' ? null : `${artifact.attributes.source}\n${artifact.attributes.destination ?? ''}`;
  const external = (artifact: Artifact) => (artifact.type === 'external' ? artifact.attributes.artifactId : null);
  return [
    ...repeated(artifacts, builtIn).map((index) => ({ at: place(index, 'source'), message: 'Duplicate artifacts defined.' })),
    ...repeated(artifacts, external).map((index) => ({
      at: place(index, 'artifact_id'),
      message: `Duplicate pluggable artifacts with id \`${external(artifacts[index]!)}\` defined.`,
    })),
    ...artifacts.flatMap((artifact, index) =>
      artifact.type === 'external'
        ? [
            ...must(artifact.attributes.artifactId.trim() !== '', place(index, 'artifact_id'), '"Id" is required for PluggableArtifact'),
            ...must(artifact.attributes.storeId.trim() !== '', place(index, 'store_id'), '"Store id" is required for PluggableArtifact'),
          ]
        : [
            ...must(artifact.attributes.source.trim() !== '', place(index, 'source'), `Job '${name}' has an artifact with an empty source`),
            ...must(
              !leavesDirectory(artifact.attributes.destination),
              place(index, 'destination'),
              'Invalid destination path. Destination path should match the pattern (([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])',
            ),
          ],
    ),
  ];
}

function leavesDirectory(path: string | null): boolean {
  if (!path) return false;
  const normal = posix.normalize(path);
  return normal.startsWith('/') || normal === '..' || normal.startsWith('../');
}

/** The same problems inside a larger object. */
function under(at: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, at: [...at, ...problem.at] }));
}

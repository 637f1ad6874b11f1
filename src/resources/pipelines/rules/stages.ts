// Rules for stages and jobs, for pipelines and templates alike.
import { hasInvisibleCharacter } from '../../../kit/text/invisible-characters.ts';
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import { variableNameProblems } from '../../parts/environment-variables.ts';
import { loginProblems } from '../../parts/members.ts';
import { type Job, numberOrKeyword } from '../jobs.ts';
import type { Stage } from '../stages.ts';
import { artifactProblems, tabProblems } from './artifacts.ts';
import { nameProblems, repeated } from './names.ts';
import { type Report, reporter } from './report.ts';
import { type JobNames, taskProblems } from './tasks.ts';

const RESOURCE = /^[-\w\s|.]*$/;
const JOB_NAME = /^[a-zA-Z0-9_\-.]{1,255}$/;
const RESERVED_NAME = /-(runOnAll|runInstance)-\d+$/;
const APPROVALS = new Set(['success', 'manual']);
const INSTANCES = 'as it represents number of instances Slipway needs to spawn during runtime.';
const MINUTES = 'as it represents number of minutes';

/** Files of config repos may have jobs that only fetch the materials. */
export function stageProblems(stages: readonly Stage[], owner: string, { mayBeIdle = false } = {}): Problem[] {
  const problems: Problem[] = [];
  for (const index of repeated(stages, nameOf)) {
    const message = `You have defined multiple stages called '${stages[index]!.name}'. Stage names are case-insensitive and must be unique.`;
    problems.push({ at: ['stages', index, 'name'], message });
  }
  for (const [index, stage] of stages.entries()) oneStage(stage, ['stages', index], { owner, mayBeIdle }, problems);
  return problems;
}

interface StageContext {
  readonly owner: string;
  readonly mayBeIdle: boolean;
}

function oneStage({ name, approval, environmentVariables, jobs }: Stage, at: Path, within: StageContext, problems: Problem[]): void {
  problems.push(...nameProblems('stage', name, [...at, 'name']));
  if (!APPROVALS.has(approval.type)) {
    const message = `You have defined approval type as '${approval.type}'. Approval can only be of the type 'manual' or 'success'.`;
    problems.push({ at: [...at, 'approval', 'type'], message });
  }
  const { users } = approval.authorization;
  const usersAt = [...at, 'approval', 'authorization', 'users'];
  if (users.some(isBlank)) problems.push({ at: usersAt, message: 'User cannot be blank.' });
  problems.push(
    ...loginProblems(
      users.filter((user) => !isBlank(user)),
      usersAt,
    ),
  );
  variableProblems(environmentVariables, at, `stage '${name}'`, problems);
  if (jobs.length === 0) problems.push({ at: [...at, 'jobs'], message: `Stage '${name}' must have at least one job.` });
  for (const index of repeated(jobs, nameOf)) {
    const message = `You have defined multiple jobs called '${jobs[index]!.name}'. Job names are case-insensitive and must be unique.`;
    problems.push({ at: [...at, 'jobs', index, 'name'], message });
  }
  for (const [index, job] of jobs.entries()) oneJob(job, [...at, 'jobs', index], { ...within, stage: name, job: job.name }, problems);
}

function oneJob(job: Job, at: Path, context: JobNames & StageContext, problems: Problem[]): void {
  const report = reporter(problems, at);
  jobNameProblems(job.name, report);
  instanceProblems(job, report);
  timeoutProblems(job, report);
  resourceProblems(job, context, report);
  variableProblems(job.environmentVariables, at, `job '${job.name}'`, problems);
  if (job.tasks.length === 0 && !context.mayBeIdle) report('tasks', `Job '${job.name}' must have at least one task.`);
  for (const [index, task] of job.tasks.entries()) taskProblems(task, [...at, 'tasks', index, 'attributes'], context, problems);
  tabProblems(job, at, problems);
  artifactProblems(job, at, problems);
}

function jobNameProblems(name: string, report: Report): void {
  if (isBlank(name)) {
    report('name', 'Name is a required field');
    return;
  }
  if (!JOB_NAME.test(name)) {
    const rule = 'This must be alphanumeric and may contain underscores and periods. The maximum allowed length is 255 characters.';
    report('name', `Invalid job name '${name}'. ${rule}`);
  }
  const reserved = RESERVED_NAME.exec(name)?.[1];
  if (reserved) report('name', `A job cannot have '${reserved}' in it's name: ${name} because it is a reserved keyword`);
}

function instanceProblems({ runInstanceCount, elasticProfileId }: Job, report: Report): void {
  const count = numberOrKeyword(runInstanceCount, 'all');
  const key = 'run_instance_count';
  if (count === null) return;
  if (count === 'all') {
    if (elasticProfileId) report(key, "Job cannot be set to 'run on all agents' when assigned to an elastic agent");
  } else if (count === 0) report(key, `'Run Instance Count' cannot be 0 ${INSTANCES}`);
  else if (typeof count === 'number' && count < 0) report(key, `'Run Instance Count' cannot be a negative number ${INSTANCES}`);
  else if (!Number.isInteger(count)) report(key, `'Run Instance Count' should be a valid positive integer ${INSTANCES}`);
}

function timeoutProblems(job: Job, report: Report): void {
  const timeout = numberOrKeyword(job.timeout, 'never');
  if (timeout === null || timeout === 'never') return;
  if (typeof timeout === 'string') report('timeout', `Timeout should be a valid number ${MINUTES}`);
  else if (timeout < 0) report('timeout', `Timeout cannot be a negative number ${MINUTES}`);
}

function resourceProblems({ resources, elasticProfileId }: Job, { owner, stage, job }: JobNames, report: Report): void {
  if (elasticProfileId !== null && isBlank(elasticProfileId)) report('elastic_profile_id', 'Must not be a blank string');
  if (elasticProfileId && resources.length > 0) {
    for (const key of ['elastic_profile_id', 'resources']) report(key, 'Job cannot have both `resource` and `elasticProfileId`');
  }
  for (const resource of resources) {
    if (isBlank(resource)) {
      report(
        'resources',
        `Empty resource name in job "${job}" of stage "${stage}" of pipeline "${owner}". If a template is used, please ensure that the resource parameters are defined for this pipeline.`,
      );
    } else if (!RESOURCE.test(resource) || hasInvisibleCharacter(resource)) {
      report('resources', `Resource name '${resource}' is not valid. Valid names much match '^[-\\w\\s|.]*$'`);
    }
  }
}

function variableProblems(variables: Job['environmentVariables'], at: Path, owner: string, problems: Problem[]): void {
  if (variables.length === 0) return;
  for (const problem of variableNameProblems(variables, 'environment_variables', owner))
    problems.push({ ...problem, at: [...at, ...problem.at] });
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

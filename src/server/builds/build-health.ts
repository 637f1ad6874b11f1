// The health messages about builds that do not go as they should, for administrators.
import { keyOfName } from '../../builds/configured.ts';
import type { EngineHealth } from '../../builds/engine-parts.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import type { HealthMessages } from '../../health/messages.ts';
import { pluralize } from '../../kit/text/pluralize.ts';

/** `agentName`: what users call an agent. */
export function buildHealth(health: HealthMessages, agentName: (uuid: string) => string): EngineHealth {
  const [silent, stuck, stranded] = [replacing(health), replacing(health), replacing(health)];
  return {
    pipeline: (name, problem) => {
      const about = schedulingOf(name);
      if (problem === undefined) health.clear(about);
      else health.raise(about, 'ERROR', `Failed to schedule pipeline: ${name}.`, problem);
    },
    couldNotTrigger: (name, reason) => {
      const about = triggerOf(name);
      if (reason === undefined) health.clear(about);
      else health.raise(about, 'ERROR', `Could not trigger pipeline '${name}'`, reason);
    },
    silentJobs: (jobs) =>
      silent(
        jobs.map((job) => ({
          about: `silence of job ${job.row.id}`,
          level: 'WARNING',
          message: `Job '${nameOf(job)}' is not responding`,
          detail: detailOf(job),
        })),
      ),
    stuckJobs: (jobs) =>
      stuck(
        jobs.map(({ agent, job }) => ({
          about: `cancel on agent ${agent}`,
          level: 'WARNING',
          message: `Agent '${agentName(agent)}' does not end a cancelled job`,
          detail: `It was told more than 10 minutes ago to cancel ${job ? `'${nameOf(job)}'` : 'its job'}. Kill its running tasks (POST /api/agents/${agent}/kill_running_tasks), or start the agent again.`,
        })),
      ),
    strandedJobs: (jobs) =>
      stranded(
        jobs.map(({ job, message }) => ({
          about: `agent for job ${job.row.id}`,
          level: 'ERROR',
          message: `Unable to find agent for ${nameOf(job)}`,
          detail: message,
        })),
      ),
  };
}

/** Of pipelines that are deleted: nothing would clear their messages any more. */
export function forgetPipelines(health: Pick<HealthMessages, 'clear'>, names: Iterable<string>): void {
  for (const name of names) for (const about of [schedulingOf(name), triggerOf(name)]) health.clear(about);
}

function schedulingOf(pipeline: string): string {
  return `scheduling of pipeline ${keyOfName(pipeline)}`;
}

function triggerOf(pipeline: string): string {
  return `trigger of pipeline ${keyOfName(pipeline)}`;
}

interface HealthMessage {
  readonly about: string;
  readonly level: 'ERROR' | 'WARNING';
  readonly message: string;
  readonly detail: string;
}

/** Raises all messages of one kind that there are now, and clears those that there were before. */
function replacing(health: HealthMessages): (now: readonly HealthMessage[]) => void {
  let before: ReadonlySet<string> = new Set();
  return (now) => {
    const subjects = new Set(now.map(({ about }) => about));
    for (const about of before) if (!subjects.has(about)) health.clear(about);
    for (const { about, level, message, detail } of now) health.raise(about, level, message, detail);
    before = subjects;
  };
}

function nameOf({ row, stageRun }: ActiveJob): string {
  return `${stageRun.run.pipeline}/${stageRun.row.stage}/${row.name}`;
}

function detailOf({ plan, row }: ActiveJob): string {
  const { timeoutMinutes } = plan.job;
  const end = timeoutMinutes > 0 ? ` It is cancelled after ${pluralize(timeoutMinutes, 'minute')} without any.` : '';
  return `Its console has had no output for more than 5 minutes on the agent ${row.agent_uuid ?? ''}.${end}`;
}

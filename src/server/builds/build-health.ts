// The health messages about builds that do not go as they should, for administrators.
import type { EngineHealth } from '../../builds/engine-parts.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import type { HealthMessages } from '../../health/messages.ts';

export function buildHealth(health: HealthMessages): EngineHealth {
  let [silent, stranded] = [new Set<string>(), new Set<string>()];
  return {
    pipeline: (name, problem) => {
      const about = `scheduling of pipeline ${name}`;
      if (problem === undefined) health.clear(about);
      else health.raise(about, 'ERROR', `Failed to schedule pipeline: ${name}.`, problem);
    },
    couldNotTrigger: (name, reason) => {
      const about = `trigger of pipeline ${name}`;
      if (reason === undefined) health.clear(about);
      else health.raise(about, 'ERROR', `Could not trigger pipeline '${name}'`, reason);
    },
    silentJobs: (jobs) => {
      const now = new Map(jobs.map((job) => [`silence of job ${job.row.id}`, job]));
      for (const about of silent) if (!now.has(about)) health.clear(about);
      for (const [about, job] of now) health.raise(about, 'WARNING', `Job '${nameOf(job)}' is not responding`, detailOf(job));
      silent = new Set(now.keys());
    },
    strandedJobs: (jobs) => {
      const now = new Map(jobs.map((one) => [`agent for job ${one.job.row.id}`, one]));
      for (const about of stranded) if (!now.has(about)) health.clear(about);
      for (const [about, { job, message }] of now) health.raise(about, 'ERROR', `Unable to find agent for ${nameOf(job)}`, message);
      stranded = new Set(now.keys());
    },
  };
}

function nameOf({ row, stageRun }: ActiveJob): string {
  return `${stageRun.run.pipeline}/${stageRun.row.stage}/${row.name}`;
}

function detailOf({ plan, row }: ActiveJob): string {
  const { timeoutMinutes } = plan.job;
  const end = timeoutMinutes > 0 ? ` It is cancelled after ${timeoutMinutes} minute(s) without any.` : '';
  return `Its console has had no output for more than 5 minutes on the agent ${row.agent_uuid ?? ''}.${end}`;
}

// Why a job waits, from the current state of the engine.
import { type JobWhy, whyJob } from '../../../builds/jobs/why-job.ts';
import type { Job } from '../../../store/builds/jobs.ts';
import type { BuildRouteParts } from '../runs/parts.ts';

export function whyJobWaits(parts: BuildRouteParts, { id, state, result }: Job, agents: ReturnType<BuildRouteParts['agents']>): JobWhy {
  const { engine, elasticStateOf } = parts;
  const active = engine.state.active.job(id);
  const assignable = active && engine.queue.assignable(active);
  return whyJob(
    { state: active?.row.state ?? state, result, assignable, elasticState: active && elasticStateOf(active) },
    {
      agents,
      hasContact: parts.hasContact,
      isBusy: (uuid) => engine.state.active.ofAgent(uuid) !== undefined || engine.queue.isCancelling(uuid),
      isInMaintenance: parts.isInMaintenance(),
      isDiskFull: parts.isDiskFull(),
    },
  );
}

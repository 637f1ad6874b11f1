// The job whose tests are requested, if the user may see it.
import { keyOfName } from '../../../builds/configured.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Job } from '../../../store/builds/jobs.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { StageRun } from '../../../store/builds/stage-runs.ts';
import type { ApiRequest } from '../../engine/route.ts';
import { type Counter, readCounter } from '../consoles/jobs.ts';
import { jobNotFound } from '../jobs/docs.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { noCounter } from './docs.ts';

type Parts = Pick<BuildRouteParts, 'access' | 'config' | 'tables'>;

export interface TestedJob {
  /** The one that ran: where only others were run again it is that of an earlier run of the stage. */
  readonly job: Pick<Job, 'id' | 'pipeline_key' | 'stage_key' | 'job_key'>;
  readonly run: Run;
  /** The locator as it was asked for. */
  readonly locator: string;
}

export async function testedJob(parts: Parts, { params, identity }: ApiRequest): Promise<TestedJob> {
  const { pipeline_name: pipeline = '', stage_name: stage = '', job_name: name = '' } = params;
  const { key } = await requireViewable(parts, pipeline, identity);
  const [ofRun, ofStage] = [counterOf(params, 'pipeline_counter'), counterOf(params, 'stage_counter')];
  const locator = [pipeline, ofRun, stage, ofStage, name].join('/');
  const { runs, jobs } = parts.tables;
  const run = ofRun === 'latest' ? await runs.last(key) : await runs.find(key, ofRun);
  const stageRun = run && (await stageRunOf(parts, run, keyOfName(stage), ofStage));
  const all = stageRun ? await jobs.ofStageRuns([stageRun.id]) : [];
  const job = all.findLast(({ job_key: key, state }) => key === keyOfName(name) && state !== 'Rescheduled');
  if (!run || !job) throw new Refusal('notFound', jobNotFound(locator));
  return { job: { ...job, id: job.original_id ?? job.id }, run, locator };
}

async function stageRunOf({ tables }: Parts, run: Run, key: string, counter: Counter): Promise<StageRun | undefined> {
  if (counter !== 'latest') return tables.stageRuns.find(run.id, key, counter);
  return (await tables.stageRuns.ofRuns([run.id])).findLast((one) => one.stage_key === key);
}

function counterOf(params: ApiRequest['params'], name: string): Counter {
  const counter = readCounter(params[name]);
  if (counter === undefined) throw new Refusal('malformed', noCounter(name));
  return counter;
}

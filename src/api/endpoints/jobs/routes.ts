// Jobs: one of a run, and all of one name, a page at a time.
import { keyOfName } from '../../../builds/configured.ts';
import { shownRevisions } from '../../../builds/runs/shown-runs.ts';
import { shownJobs } from '../../../builds/runs/shown-stages.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Job } from '../../../store/builds/jobs.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { positiveIn } from '../runs/counters.ts';
import { pageLinks, wantedPage } from '../runs/pages.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { HISTORY, INSTANCE, JOBS_CHAPTER, jobNotFound } from './docs.ts';
import { jobDetailsJson, jobJson } from './json.ts';
import { tabsJson } from './tabs.ts';

export const JOB_PATH = '/api/jobs/:pipeline_name/:pipeline_counter/:stage_name/:stage_counter/:job_name';
const HISTORY_PATH = '/api/jobs/:pipeline_name/:stage_name/:job_name/history';
const common = { method: 'GET', version: 1, permission: 'user' } as const;

/** Any server answers. */
export function jobReadingRoutes(parts: BuildRouteParts): Route[] {
  const { tables } = parts;
  return [
    {
      ...common,
      path: JOB_PATH,
      description: { chapter: JOBS_CHAPTER, ...INSTANCE },
      handle: async (request) => {
        const job = await jobOf(parts, request);
        const [shown] = await shownJobs(tables, [job]);
        const { run } = shown!;
        const { base } = request;
        const details = {
          hostname: job.agent_uuid === null ? undefined : await tables.jobs.agentName(job.agent_uuid),
          environment: parts.config.environmentOf(run.pipeline)?.name ?? null,
          revisions: (await shownRevisions(tables, [run.id])).get(run.id) ?? [],
          base,
        };
        const answer = jsonAnswer({ ...jobDetailsJson(shown!, details), tabs: await tabsJson(parts, shown!, base) });
        return { ...answer, etag: etagOfText(answer.text!, base, ['"href":"', '"url":"']) };
      },
    },
    {
      ...common,
      path: HISTORY_PATH,
      description: { chapter: JOBS_CHAPTER, ...HISTORY },
      handle: async ({ params, identity, query, base }) => {
        const { pipeline_name: name = '', stage_name: stage = '', job_name: job = '' } = params;
        const pipeline = await requireViewable(parts, name, identity);
        const { cursor, size } = wantedPage(query);
        const page = await tables.jobs.page(pipeline.key, keyOfName(stage), keyOfName(job), cursor, size);
        const path = `/api/jobs/${[pipeline.name, stage, job].map(encodeURIComponent).join('/')}/history`;
        const jobs = await shownJobs(tables, page.items);
        return jsonAnswer({ _links: pageLinks(base, path, page, size, ({ id }) => id), jobs: jobs.map(jobJson) });
      },
    },
  ];
}

/** The job that a path names, if the user may see it. */
export async function jobOf(parts: Pick<BuildRouteParts, 'access' | 'config' | 'tables'>, { params, identity }: ApiRequest): Promise<Job> {
  const { pipeline_name: name = '', stage_name: stage = '', job_name: job = '' } = params;
  const { pipeline_counter: ofRun = '', stage_counter: ofStage = '' } = params;
  const { key } = await requireViewable(parts, name, identity);
  const [runCounter, stageCounter] = [positiveIn(ofRun, 'pipeline_counter'), positiveIn(ofStage, 'stage_counter')];
  const { tables } = parts;
  const run = await tables.runs.find(key, runCounter);
  const stageRun = run && (await tables.stageRuns.find(run.id, keyOfName(stage), stageCounter));
  const jobs = stageRun ? await tables.jobs.ofStageRuns([stageRun.id]) : [];
  const found = jobs.find(({ job_key: key, state }) => key === keyOfName(job) && state !== 'Rescheduled');
  if (!found) throw new Refusal('notFound', jobNotFound([name, ofRun, stage, ofStage, job].join('/')));
  return found;
}

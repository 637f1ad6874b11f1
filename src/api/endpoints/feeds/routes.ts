// Feeds: past and present runs, as XML; and the projects that monitors of builds show.
import type { Access } from '../../../access/may.ts';
import type { DashboardIndex } from '../../../builds/dashboard/dashboard-index.ts';
import type { ActiveJob } from '../../../builds/jobs/active-builds.ts';
import { stageStateOf } from '../../../builds/jobs/job-states.ts';
import type { Pauses } from '../../../builds/pauses.ts';
import { shownRuns } from '../../../builds/runs/shown-runs.ts';
import { shownJobs, shownStages } from '../../../builds/runs/shown-stages.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Route } from '../../engine/route.ts';
import { ofBuildKeeper } from '../agents/keeper.ts';
import { jobOf } from '../jobs/routes.ts';
import { counterIn } from '../runs/counters.ts';
import { runNotFound } from '../runs/docs.ts';
import { cursorIn } from '../runs/pages.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { stageRunNamed } from '../stages/operations.ts';
import { FEEDS, jobFeed, PIPELINES_FEED, stagesFeed } from './addresses.ts';
import type { Cctray } from './cctray.ts';
import { CCTRAY, FEEDS_CHAPTER, ONE_JOB, ONE_RUN, ONE_STAGE, PIPELINES, SCHEDULED, STAGES } from './docs.ts';
import { jobDocument, runDocument, stageDocument, stagesDocument } from './documents.ts';
import { ATOM, element, leaf, link, xmlAnswer } from './xml.ts';

export interface FeedRouteParts extends Pick<BuildRouteParts, 'config' | 'tables'> {
  readonly access: Pick<Access, 'may' | 'mayView' | 'mayOperate' | 'passes'>;
  readonly pauses: Pick<Pauses, 'find'>;
  /** Only of use on the server that runs builds. */
  readonly index: DashboardIndex;
  readonly cctray: Cctray;
  /** The jobs that wait for an agent. */
  waiting(): Iterable<ActiveJob>;
  nameOf(pipelineKey: string): string | undefined;
}

const ON_PAGE = 25;
const OF_PIPELINE = `${FEEDS}/pipelines/:pipeline_name`;
const OF_STAGE = `${OF_PIPELINE}/:pipeline_counter/:stage_name/:stage_counter`;
const common = { method: 'GET', version: null, permission: 'user' } as const;
const described = (description: typeof CCTRAY) => ({ chapter: FEEDS_CHAPTER, ...description });

export function feedRoutes(parts: FeedRouteParts): Route[] {
  return [
    ...ofBuildKeeper([cctrayRoute(parts), scheduledRoute(parts)]),
    pipelinesRoute(parts),
    stagesRoute(parts),
    runRoute(parts),
    stageRoute(parts),
    jobRoute(parts),
  ];
}

function cctrayRoute({ index, cctray, access }: FeedRouteParts): Route {
  return {
    ...common,
    path: '/cctray.xml',
    description: described(CCTRAY),
    handle: async ({ identity, base }) => {
      await index.current();
      const rows = index
        .rows()
        .filter(({ facts }) => access.mayView(identity, { group: facts.pipeline.group, pipeline: facts.pipeline.name }));
      return xmlAnswer(element('Projects', {}, await cctray.projects(rows, base)), base);
    },
  };
}

function scheduledRoute({ index, waiting, config, access }: FeedRouteParts): Route {
  return {
    ...common,
    path: `${FEEDS}/jobs/scheduled.xml`,
    description: described(SCHEDULED),
    handle: async ({ identity, base }) => {
      await index.current();
      const visible = [...waiting()].filter(({ stageRun: { run } }) => {
        const group = config.groupOf(run.pipeline);
        return group !== undefined && access.mayView(identity, { group, pipeline: run.pipeline });
      });
      const jobs = visible.map(({ row, plan, stageRun: { run, row: stageRun } }) => {
        const at = [run.pipeline, run.counter, stageRun.stage, stageRun.counter, row.name] as const;
        const environment = config.environmentOf(run.pipeline)?.name;
        return element(
          'job',
          { name: row.name, id: row.id },
          link(base + jobFeed(...at)),
          leaf('buildLocator', at.join('/')),
          ...(environment === undefined ? [] : [leaf('environment', environment)]),
          ...(plan.job.resources.length === 0
            ? []
            : [element('resources', {}, ...plan.job.resources.map((name) => leaf('resource', name)))]),
        );
      });
      return xmlAnswer(element('scheduledJobs', {}, ...jobs), base);
    },
  };
}

function pipelinesRoute({ config, access, nameOf }: FeedRouteParts): Route {
  return {
    ...common,
    path: PIPELINES_FEED,
    description: described(PIPELINES),
    handle: async ({ identity, base }) => {
      const listed: string[] = [];
      for (const key of config.keys()) {
        const [group, name] = [config.groupOf(key), nameOf(key)];
        if (group !== undefined && name !== undefined && access.mayView(identity, { group, pipeline: name }))
          listed.push(element('pipeline', { href: base + stagesFeed(name) }));
        await pause();
      }
      return xmlAnswer(element('pipelines', {}, link(base + PIPELINES_FEED), ...listed), base);
    },
  };
}

function stagesRoute(parts: FeedRouteParts): Route {
  const { tables } = parts;
  return {
    ...common,
    path: `${OF_PIPELINE}/stages.xml`,
    description: described(STAGES),
    handle: async ({ params: { pipeline_name: wanted = '' }, query, identity, base }) => {
      const before = cursorIn(query, 'before') ?? Number.MAX_SAFE_INTEGER;
      const { key, name } = await requireViewable(parts, wanted, identity);
      // One more shows whether there are older ones.
      const found = await tables.stageRuns.endedOf(key, before, ON_PAGE + 1);
      const shown = found.slice(0, ON_PAGE);
      const runs = new Map((await tables.runs.byIds(shown.map(({ run_id: id }) => id))).map((run) => [run.id, run]));
      const older = found.length > ON_PAGE ? `${stagesFeed(name)}?before=${shown.at(-1)!.id}` : undefined;
      const ended = shown.map((stageRun) => ({ stageRun, run: runs.get(stageRun.run_id)! }));
      return xmlAnswer(stagesDocument(name, ended, older, base), base, ATOM);
    },
  };
}

function runRoute(parts: FeedRouteParts): Route {
  const { tables, pauses } = parts;
  return {
    ...common,
    path: `${OF_PIPELINE}/:pipeline_counter.xml`,
    description: described(ONE_RUN),
    handle: async ({ params: { pipeline_name: name = '', pipeline_counter: counter = '' }, identity, base }) => {
      const pipeline = await requireViewable(parts, name, identity);
      const run = await tables.runs.find(pipeline.key, counterIn(counter, 'pipeline'));
      if (!run) throw new Refusal('notFound', runNotFound(pipeline.name, counter));
      const [shown] = await shownRuns(tables, pipeline, pauses.find(pipeline.key) !== undefined, [run]);
      return xmlAnswer(runDocument(shown!, base), base);
    },
  };
}

function stageRoute(parts: FeedRouteParts): Route {
  return {
    ...common,
    path: `${OF_STAGE}.xml`,
    description: described(ONE_STAGE),
    handle: async (request) => {
      await requireViewable(parts, request.params.pipeline_name ?? '', request.identity);
      const { stageRun } = await stageRunNamed(parts, request);
      const [shown] = await shownStages(parts.tables, [stageRun]);
      const jobs = shown!.jobs.map(({ job }) => job);
      return xmlAnswer(stageDocument(shown!, stageStateOf(jobs).state, request.base), request.base);
    },
  };
}

function jobRoute(parts: FeedRouteParts): Route {
  return {
    ...common,
    path: `${OF_STAGE}/:job_name.xml`,
    description: described(ONE_JOB),
    handle: async (request) => {
      const [shown] = await shownJobs(parts.tables, [await jobOf(parts, request)]);
      return xmlAnswer(jobDocument(shown!, request.base), request.base);
    },
  };
}

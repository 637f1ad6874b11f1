// The documentation of the routes of feeds.

import { PROLOG } from '../../../kit/xml/write-xml.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { INSTANCE as JOB } from '../jobs/docs.ts';
import { INSTANCE as RUN } from '../runs/docs.ts';
import { EXAMPLE_JOB, EXAMPLE_PIPELINE, EXAMPLE_STAGE } from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';
import { INSTANCE as STAGE } from '../stages/docs.ts';
import { jobFeed, jobFiles, jobPage, PIPELINES_FEED, runFeed, runPage, stageFeed, stagePage, stagesFeed } from './addresses.ts';
import { ATOM, element, leaf, link, XML } from './xml.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const FEEDS_CHAPTER = 'feeds';
const EVERY_USER = 'every user; each sees the pipelines of the groups they may see';
const at = [EXAMPLE_PIPELINE, 1, EXAMPLE_STAGE, 1] as const;
const xml = { response: TEXT, type: XML, hasEtag: true };
const ofRun = { name: EXAMPLE_PIPELINE, counter: 1, label: '1' };

export const CCTRAY: Description = {
  ...xml,
  summary: 'Show stages and jobs for build monitors (cctray)',
  details:
    'One project for each stage that has been run, and one for each of its jobs. From the second run of a stage on, the label says which run it was.',
  callers: EVERY_USER,
  example: () =>
    PROLOG +
    element(
      'Projects',
      {},
      element('Project', {
        name: `${EXAMPLE_PIPELINE} :: ${EXAMPLE_STAGE}`,
        activity: 'Sleeping',
        lastBuildStatus: 'Success',
        lastBuildLabel: '1',
        lastBuildTime: EXAMPLE_TIME,
        webUrl: EXAMPLE_BASE + stagePage(...at),
      }),
    ),
};

export const PIPELINES: Description = {
  ...xml,
  summary: 'List the feeds of all pipelines',
  callers: EVERY_USER,
  example: () =>
    PROLOG +
    element(
      'pipelines',
      {},
      link(EXAMPLE_BASE + PIPELINES_FEED),
      element('pipeline', { href: EXAMPLE_BASE + stagesFeed(EXAMPLE_PIPELINE) }),
    ),
};

export const STAGES: Description = {
  ...xml,
  type: ATOM,
  summary: 'Show the completed stages of a pipeline as an Atom feed, newest first',
  callers: VIEWERS,
  parameters: { pipeline_name: PIPELINE_PARAMETER },
  query: { before: { type: 'integer', minimum: 0, description: 'Only older ones, as in the link `next`.' } },
  example: () =>
    PROLOG +
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom' },
      leaf('title', EXAMPLE_PIPELINE),
      leaf('id', EXAMPLE_BASE + stagesFeed(EXAMPLE_PIPELINE)),
      leaf('updated', EXAMPLE_TIME),
      element(
        'entry',
        {},
        leaf('title', `${EXAMPLE_PIPELINE}(1) stage ${EXAMPLE_STAGE}(1) Passed`),
        leaf('id', EXAMPLE_BASE + stagePage(...at)),
      ),
    ),
  failures: { ...ACCESS_FAILURES, 400: { when: 'A query parameter is not a whole number in its range.' } },
};

export const ONE_RUN: Description = {
  ...xml,
  summary: 'Show a run of a pipeline with its stages and materials',
  callers: VIEWERS,
  parameters: RUN.parameters!,
  example: () =>
    PROLOG +
    element(
      'pipeline',
      ofRun,
      link(EXAMPLE_BASE + runFeed(EXAMPLE_PIPELINE, 1)),
      leaf('id', EXAMPLE_BASE + runPage(EXAMPLE_PIPELINE, 1)),
      leaf('scheduleTime', EXAMPLE_TIME),
      element('stages', {}, element('stage', { href: EXAMPLE_BASE + stageFeed(...at) })),
      element('materials', {}),
      leaf('approvedBy', 'changes'),
    ),
  failures: RUN.failures!,
};

export const ONE_STAGE: Description = {
  ...xml,
  summary: 'Show a run of a stage with its jobs',
  callers: VIEWERS,
  parameters: STAGE.parameters!,
  example: () =>
    PROLOG +
    element(
      'stage',
      { name: EXAMPLE_STAGE, counter: 1 },
      link(EXAMPLE_BASE + stageFeed(...at)),
      element('pipeline', { ...ofRun, href: EXAMPLE_BASE + runFeed(EXAMPLE_PIPELINE, 1) }),
      leaf('updated', EXAMPLE_TIME),
      leaf('result', 'Passed'),
      leaf('state', 'Passed'),
      element('jobs', {}, element('job', { href: EXAMPLE_BASE + jobFeed(...at, EXAMPLE_JOB) })),
    ),
  failures: STAGE.failures!,
};

export const ONE_JOB: Description = {
  ...xml,
  summary: 'Show a job with its agent and its artifacts',
  callers: VIEWERS,
  parameters: JOB.parameters!,
  example: () =>
    PROLOG +
    element(
      'job',
      { name: EXAMPLE_JOB },
      link(EXAMPLE_BASE + jobFeed(...at, EXAMPLE_JOB)),
      leaf('id', EXAMPLE_BASE + jobPage(...at, EXAMPLE_JOB)),
      leaf('updated', EXAMPLE_TIME),
      leaf('result', 'Passed'),
      leaf('state', 'Completed'),
      element('artifacts', { baseUri: EXAMPLE_BASE + jobFiles(...at, EXAMPLE_JOB) }),
    ),
  failures: JOB.failures!,
};

export const SCHEDULED: Description = {
  ...xml,
  summary: 'List the jobs that wait for an agent',
  callers: EVERY_USER,
  example: () =>
    PROLOG +
    element(
      'scheduledJobs',
      {},
      element(
        'job',
        { name: EXAMPLE_JOB, id: 1 },
        link(EXAMPLE_BASE + jobFeed(...at, EXAMPLE_JOB)),
        leaf('buildLocator', [...at, EXAMPLE_JOB].join('/')),
      ),
    ),
};

// Tests: those of a job, flaky and slow ones of a pipeline, and the history of one.
import { Refusal } from '../../../kit/refusal.ts';
import { type TestReportTable, testKeyOf } from '../../../store/builds/test-reports.ts';
import type { FoundTest, TestResults } from '../../../store/builds/test-results.ts';
import { type FirstFailure, firstFailure } from '../../../test-reports/questions/first-failure.ts';
import { comparableJobs, flakyTests } from '../../../test-reports/questions/flaky.ts';
import { historyOf } from '../../../test-reports/questions/history.ts';
import { slowestNow } from '../../../test-reports/questions/slowest-now.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { flagIn } from '../../http/flag-in.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { encodedPath } from '../common/encoded-path.ts';
import { links } from '../common/links.ts';
import { numberIn } from '../common/number-in.ts';
import { JOB_PATH } from '../jobs/routes.ts';
import { MIN_ON_PAGE, wantedPage } from '../runs/pages.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import {
  HISTORY,
  NAME_MISSING,
  noSuchTest,
  noTests,
  notRead,
  OF_JOB_TESTS,
  OF_PIPELINE_TESTS,
  RECENT_RUNS,
  TESTS_CHAPTER,
} from './docs.ts';
import { type TestedJob, testedJob } from './job.ts';

export interface TestRouteParts extends Pick<BuildRouteParts, 'access' | 'config' | 'tables'> {
  readonly reports: Pick<TestReportTable, 'find'>;
  readonly results: Pick<TestResults, 'failuresOf' | 'before' | 'jobsOf' | 'ofRuns' | 'testedJobs' | 'passedIn'>;
}

const PIPELINE_PATH = '/api/pipelines/:pipeline_name/tests';
const NEWEST = Number.MAX_SAFE_INTEGER;
const ANY = { min: 0, max: NEWEST };
const NO_TESTS = { total: 0, failed: 0, skipped: 0, duration: 0, failures: [], problems: [] };
const common = { method: 'GET', version: 1, permission: 'user' } as const;

/** Any server answers. */
export function testRoutes(parts: TestRouteParts): Route[] {
  const routes = [
    { path: `${JOB_PATH}/tests`, description: OF_JOB_TESTS, handle: testsOfJob },
    { path: PIPELINE_PATH, description: OF_PIPELINE_TESTS, handle: testsOfPipeline },
    { path: `${PIPELINE_PATH}/history`, description: HISTORY, handle: history },
  ];
  return routes.map(({ path, description, handle }) => ({
    ...common,
    path,
    description: { chapter: TESTS_CHAPTER, ...description },
    handle: (request) => handle(parts, request),
  }));
}

async function testsOfJob(parts: TestRouteParts, request: ApiRequest): Promise<Answer> {
  const tested = await testedJob(parts, request);
  mustBeKnown(request.query, OF_JOB_TESTS);
  const { size } = wantedPage(request.query);
  const mayBeEmpty = flagIn(request.query, 'allow_empty');
  const report = await parts.reports.find(tested.job.id);
  if (!report || report.unread > 0) {
    const message = report ? notRead(tested.locator) : noTests(tested.locator);
    if (!mayBeEmpty) throw new Refusal('notFound', message);
    return jsonAnswer({ _links: links(request.base, {}), ...NO_TESTS, message });
  }
  const after = numberIn(request.query, 'after', ANY) ?? -1;
  const failures = await parts.results.failuresOf(tested.job.id, after, size + 1);
  const shown = failures.slice(0, size);
  const next = failures.length > size && `/api/jobs/${encodedPath(tested.locator)}/tests?${pageQuery(shown.at(-1)!.position, size)}`;
  return jsonAnswer({
    _links: links(request.base, next ? { next } : {}),
    total: report.total,
    failed: report.failed,
    skipped: report.skipped,
    duration: report.duration_ms / 1000,
    failures: await failuresJson(parts, tested, shown),
    problems: JSON.parse(report.problems),
  });
}

async function failuresJson(
  { results, tables }: TestRouteParts,
  { job, run }: TestedJob,
  failures: readonly FoundTest[],
): Promise<object[]> {
  const of = { pipelineKey: job.pipeline_key, stageKey: job.stage_key, jobKey: job.job_key, jobId: job.id, runId: run.id };
  const firsts: FirstFailure[] = [];
  for (const { test_key: testKey } of failures) firsts.push(await firstFailure(results, { ...of, testKey }));
  const runs = new Map((await tables.runs.byIds([...new Set(firsts.map(({ runId }) => runId))])).map((one) => [one.id, one]));
  return failures.map(({ name, class: className, duration_ms: ms, message, trace }, index) => ({
    name,
    class: className,
    duration: ms / 1000,
    message,
    trace,
    first_failed_in: runs.get(firsts[index]!.runId)!.counter,
    ...(firsts[index]!.mayBeOlder && { may_have_failed_earlier: true }),
  }));
}

async function testsOfPipeline(parts: TestRouteParts, { params, identity, query }: ApiRequest): Promise<Answer> {
  const { tables, results } = parts;
  const { key } = await requireViewable(parts, params.pipeline_name ?? '', identity);
  mustBeKnown(query, OF_PIPELINE_TESTS);
  const runs = await tables.runs.before(key, NEWEST, RECENT_RUNS);
  const counters = new Map(runs.map(({ id, counter }) => [id, counter]));
  const jobs = await results.testedJobs([...counters.keys()]);
  const groups = comparableJobs(jobs, await tables.runs.revisionsOf([...counters.keys()]));
  const { tests, isCut } = await flakyTests(results, key, groups);
  return jsonAnswer({
    flaky: tests.map(({ class: className, name, passed, failed, lastFailedIn }) => ({
      name,
      class: className,
      passed,
      failed,
      last_failed_in: counters.get(lastFailedIn),
    })),
    is_cut: isCut,
    slowest: slowestNow(jobs).map(({ class: className, name, ms, runId, stageKey, jobKey }) => ({
      name,
      class: className,
      duration: ms / 1000,
      counter: counters.get(runId),
      stage: stageKey,
      job: jobKey,
    })),
  });
}

async function history(parts: TestRouteParts, { params, identity, query, base }: ApiRequest): Promise<Answer> {
  const pipeline = await requireViewable(parts, params.pipeline_name ?? '', identity);
  mustBeKnown(query, HISTORY);
  const [name, className] = [query.get('name'), query.get('class') ?? ''];
  if (name === null) throw new Refusal('malformed', NAME_MISSING);
  const { cursor, size } = wantedPage(query);
  const page = { pipelineKey: pipeline.key, testKey: testKeyOf(className, name), after: cursor.after ?? NEWEST, limit: size };
  const { entries, hasOlder } = await historyOf(parts.results, page);
  if (entries.length === 0 && cursor.after === undefined) throw new Refusal('notFound', noSuchTest(name, className, pipeline.name));
  const runs = new Map((await parts.tables.runs.byIds(entries.map(({ runId }) => runId))).map((run) => [run.id, run]));
  const path = PIPELINE_PATH.replace(':pipeline_name', () => encodeURIComponent(pipeline.name));
  const which = new URLSearchParams({ name, class: className });
  return jsonAnswer({
    _links: links(base, hasOlder ? { next: `${path}/history?${which}&${pageQuery(entries.at(-1)!.jobId, size)}` } : {}),
    name,
    class: className,
    runs: entries.map(({ runId, result, durationMs, message }) => ({
      counter: runs.get(runId)!.counter,
      label: runs.get(runId)!.label,
      result,
      duration: durationMs / 1000,
      message,
    })),
  });
}

function pageQuery(after: number, size: number): string {
  return `after=${after}${size === MIN_ON_PAGE ? '' : `&page_size=${size}`}`;
}

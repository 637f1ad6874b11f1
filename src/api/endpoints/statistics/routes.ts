// How the last runs of a pipeline went, over HTTP. Any server answers.
import {
  byDay,
  byStage,
  type RunStatistics,
  runStatistics,
  type Spread,
  type Summary,
  summaryOf,
} from '../../../builds/runs/statistics.ts';
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { numberIn } from '../common/number-in.ts';
import { RUNS_CHAPTER } from '../runs/docs.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { MAX_RUNS, MIN_RUNS, STATISTICS } from './docs.ts';

export function statisticsRoute(parts: BuildRouteParts): Route {
  return {
    method: 'GET',
    path: '/api/pipelines/:pipeline_name/statistics',
    version: 1,
    permission: 'user',
    description: { chapter: RUNS_CHAPTER, ...STATISTICS },
    handle: async ({ params: { pipeline_name: name = '' }, identity, query }) => {
      const pipeline = await requireViewable(parts, name, identity);
      const limit = numberIn(query, 'runs', { min: MIN_RUNS, max: MAX_RUNS }) ?? MAX_RUNS;
      const json = statisticsJson(pipeline.name, await runStatistics(parts.tables, pipeline.key, limit));
      return jsonAnswer(json, { etag: sha512of256(JSON.stringify(json)) });
    },
  };
}

function statisticsJson(name: string, figures: readonly RunStatistics[]): JsonOut {
  return {
    name,
    summary: summaryJson(summaryOf(figures)),
    days: [...byDay(figures)].map(([day, ofDay]) => ({ day, ...summaryJson(summaryOf(ofDay)) })),
    stages: [...byStage(figures).values()].map((ofStage) => ({ name: ofStage[0]!.name, ...summaryJson(summaryOf(ofStage)) })),
    runs: figures.map(runJson),
  };
}

function summaryJson({ runs, passed, failed, cancelled, successRate, duration, waiting }: Summary): JsonOut {
  return { runs, passed, failed, cancelled, success_rate: successRate ?? null, duration_ms: spread(duration), waiting_ms: spread(waiting) };
}

function spread(values: Spread | undefined): JsonOut | null {
  return values ? { median: values.median, p90: values.p90 } : null;
}

function runJson({ run, result, duration, waiting, stages }: RunStatistics): JsonOut {
  return {
    counter: run.counter,
    label: run.label,
    scheduled_date: run.scheduled_at,
    result,
    duration_ms: duration,
    waiting_ms: waiting,
    stages: stages.map((stage) => ({
      name: stage.name,
      result: stage.result,
      duration_ms: stage.duration ?? null,
      waiting_ms: stage.waiting,
    })),
  };
}

// How long stages and jobs took the last times they passed. One statement asks for many of them, and looks at no more than it needs.
import { sql } from 'kysely';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Database } from '../database.ts';
import type { JobKeys } from './test-results.ts';

/** The last ones of each that passed. */
const MAX_DURATIONS = 10;
/** Maximum number of stages or jobs that are asked for in one statement. */
const MAX_AT_ONCE = 50;

export class LastDurations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In milliseconds, from being scheduled to the end, by the key of the stage. Where only some jobs were run again it does not count. */
  async ofStages(pipelineKey: string, stageKeys: readonly string[]): Promise<Map<string, number[]>> {
    const { query } = this.#database;
    const found = new Map<string, number[]>();
    for (let start = 0; start < stageKeys.length; start += MAX_AT_ONCE) {
      if (start > 0) await pause();
      const [first, ...others] = stageKeys.slice(start, start + MAX_AT_ONCE).map((stageKey) => {
        const passed = query
          .selectFrom('stage_runs')
          .select(['stage_key', sql<number>`completed_at - scheduled_at`.as('duration')])
          .where('pipeline_key', '=', pipelineKey)
          .where('stage_key', '=', stageKey)
          .where('result', '=', 'Passed')
          .where('rerun_of_counter', 'is', null)
          .orderBy('id', 'desc')
          .limit(MAX_DURATIONS);
        return query.selectFrom(passed.as('passed')).selectAll();
      });
      const rows = await others.reduce((all, one) => all.unionAll(one), first!).execute();
      for (const { stage_key: key, duration } of rows) found.getOrInsertComputed(key, () => []).push(Number(duration));
    }
    return found;
  }

  /** From being given to an agent to the end, by `keyOf` the job. One that stands for an earlier job does not count. */
  async ofJobs(pipelineKey: string, jobs: readonly JobKeys[]): Promise<Map<string, number[]>> {
    const { query } = this.#database;
    const found = new Map<string, number[]>();
    for (let start = 0; start < jobs.length; start += MAX_AT_ONCE) {
      if (start > 0) await pause();
      const [first, ...others] = jobs.slice(start, start + MAX_AT_ONCE).map(({ stageKey, jobKey }) => {
        const passed = query
          .selectFrom('jobs')
          .innerJoin('job_transitions', (join) =>
            join.onRef('job_transitions.job_id', '=', 'jobs.id').on('job_transitions.state', '=', 'Assigned'),
          )
          .select(['jobs.stage_key', 'jobs.job_key', sql<number>`jobs.completed_at - job_transitions.at`.as('duration')])
          .where('jobs.pipeline_key', '=', pipelineKey)
          .where('jobs.stage_key', '=', stageKey)
          .where('jobs.job_key', '=', jobKey)
          .where('jobs.result', '=', 'Passed')
          .where('jobs.state', '=', 'Completed')
          .where('jobs.original_id', 'is', null)
          .orderBy('jobs.id', 'desc')
          .limit(MAX_DURATIONS);
        return query.selectFrom(passed.as('passed')).selectAll();
      });
      const rows = await others.reduce((all, one) => all.unionAll(one), first!).execute();
      for (const { stage_key: stageKey, job_key: jobKey, duration } of rows)
        found.getOrInsertComputed(keyOf({ stageKey, jobKey }), () => []).push(Number(duration));
    }
    return found;
  }
}

/** No name has a slash. */
export function keyOf({ stageKey, jobKey }: JobKeys): string {
  return `${stageKey}/${jobKey}`;
}

// Jobs, their states and their plans.
import { type CompiledQuery, sql } from 'kysely';
import { chunksOf } from '../../kit/chunks.ts';
import type { Database } from '../database.ts';
import type { JobRow, JobTransitionRow } from '../rows/builds.ts';
import { type Cursor, type CursorPage, cursorPage } from './cursor-page.ts';

export type Job = Readonly<JobRow>;
export type JobTransition = Readonly<JobTransitionRow>;

/** The columns that an agent's report, an assignment or a cancel changes. */
export type JobChange = Partial<Pick<JobRow, 'state' | 'result' | 'agent_uuid' | 'completed_at' | 'epoch' | 'last_report'>>;

const MAX_AT_ONCE = 200;

const SORTED_BY = {
  completed: sql<number | string>`completed_at`,
  pipeline: sql<number | string>`pipeline_key`,
  stage: sql<number | string>`stage_key`,
  job: sql<number | string>`job_key`,
  result: sql<number | string>`result`,
  duration: sql<number | string>`completed_at - scheduled_at`,
} as const;

export interface AgentJobsPage {
  readonly column: keyof typeof SORTED_BY;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  /** The id of a job: the page starts after it, even if jobs were completed meanwhile. */
  readonly after?: number;
  readonly limit: number;
}

export class Jobs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `plan`: undefined for one that stands for an earlier one. */
  add(job: Job, plan: string | undefined): CompiledQuery[] {
    const { query } = this.#database;
    return [
      query.insertInto('jobs').values(job).compile(),
      ...(plan === undefined ? [] : [query.insertInto('job_plans').values({ job_id: job.id, plan }).compile()]),
    ];
  }

  change(id: number, change: JobChange): CompiledQuery {
    return this.#database.query.updateTable('jobs').set(change).where('id', '=', id).compile();
  }

  addTransition(transition: JobTransition): CompiledQuery {
    return this.#database.query.insertInto('job_transitions').values(transition).compile();
  }

  removePlan(id: number): CompiledQuery {
    return this.#database.query.deleteFrom('job_plans').where('job_id', '=', id).compile();
  }

  async planOf(id: number): Promise<string | undefined> {
    const row = await this.#database.query.selectFrom('job_plans').select('plan').where('job_id', '=', id).executeTakeFirst();
    return row?.plan;
  }

  byId(id: number): Promise<Job | undefined> {
    return this.#database.query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The host name of the agent of a job; undefined: it is gone. */
  async agentName(uuid: string): Promise<string | undefined> {
    const row = await this.#database.query.selectFrom('agents').select('hostname').where('uuid', '=', uuid).executeTakeFirst();
    return row?.hostname;
  }

  /** The host names of several agents, by their ids; agents that are gone are not in it. */
  async agentNames(uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const some of chunksOf(uuids, MAX_AT_ONCE)) {
      const rows = await this.#database.query.selectFrom('agents').select(['uuid', 'hostname']).where('uuid', 'in', some).execute();
      for (const { uuid, hostname } of rows) names.set(uuid, hostname);
    }
    return names;
  }

  async ofStageRuns(ids: readonly number[]): Promise<Job[]> {
    const found: Job[] = [];
    for (const some of chunksOf(ids, MAX_AT_ONCE)) {
      found.push(...(await this.#database.query.selectFrom('jobs').selectAll().where('stage_run_id', 'in', some).orderBy('id').execute()));
    }
    return found;
  }

  async transitionsOf(ids: readonly number[]): Promise<JobTransition[]> {
    const found: JobTransition[] = [];
    for (const some of chunksOf(ids, MAX_AT_ONCE)) {
      const all = this.#database.query.selectFrom('job_transitions').selectAll().where('job_id', 'in', some);
      found.push(...(await all.orderBy('job_id').orderBy('position').execute()));
    }
    return found;
  }

  /** The jobs of one name, newest first; ones that were given to another agent are left out. */
  page(pipelineKey: string, stageKey: string, jobKey: string, cursor: Cursor, size: number): Promise<CursorPage<Job>> {
    const all = this.#named(pipelineKey, stageKey, jobKey).selectAll();
    return cursorPage(cursor, size, ({ side, id, order, limit }) => all.where('id', side, id).orderBy('id', order).limit(limit).execute());
  }

  /** The jobs that an agent has completed, and how many there are. */
  async ofAgent(uuid: string, { offset, after, limit, column, order }: AgentJobsPage): Promise<{ total: number; jobs: Job[] }> {
    // By these words both engines know that the index of completed jobs has all of them.
    const ended = this.#database.query.selectFrom('jobs').where('agent_uuid', '=', uuid).where('completed_at', 'is not', null);
    const done = ended.where('state', '=', 'Completed');
    const counted = await done.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirst();
    const value = SORTED_BY[column];
    const last =
      after === undefined
        ? undefined
        : await done
            .select(['id', value.as('value')])
            .where('id', '=', after)
            .executeTakeFirst();
    const side = order === 'asc' ? '>' : '<';
    const rest = last ? done.where(sql<boolean>`(${value}, id) ${sql.raw(side)} (${last.value}, ${last.id})`) : done;
    // Where the values are the same the id decides: no job is on two pages, and none on no page.
    const jobs = await rest.selectAll().orderBy(value, order).orderBy('id', order).offset(offset).limit(limit).execute();
    return { total: Number(counted?.total ?? 0), jobs };
  }

  #named(pipelineKey: string, stageKey: string, jobKey: string) {
    const { query } = this.#database;
    return query
      .selectFrom('jobs')
      .where('pipeline_key', '=', pipelineKey)
      .where('stage_key', '=', stageKey)
      .where('job_key', '=', jobKey)
      .where('state', '!=', 'Rescheduled');
  }
}

// Facts about a server from its database, without its content: counts, sizes, versions, and results.

export interface TableSize {
  readonly table: string;
  /** As the engine knows it without counting. */
  readonly rows: number;
  /** null: the engine does not know it. */
  readonly bytes: number | null;
}

export interface DatabaseSize {
  readonly engine: string;
  readonly bytes: number;
  readonly tables: readonly TableSize[];
}

/** Runs a statement without parameters and returns its rows. */
export type AskPlain = (sql: string) => Promise<readonly object[]>;

export interface SupportFacts {
  readonly size: DatabaseSize;
  readonly facts: Readonly<Record<keyof typeof QUESTIONS, readonly object[]>>;
}

/** For both engines. They read nothing that users have written, except names. */
const QUESTIONS = {
  schema: 'select version from schema_version',
  entities: 'select kind, count(*) as count from entities group by kind order by kind',
  revisions: 'select count(*) as count, max(revision) as newest, max(time) as last from revisions',
  agents:
    'select config_state, operating_system, version, is_local, count(*) as count from agents group by config_state, operating_system, version, is_local order by 1, 2, 3, 4',
  materials:
    'select type, count(*) as count, sum(case when failures > 0 then 1 else 0 end) as failing, max(failures) as most_failures from materials group by type order by type',
  config_repos: 'select outcome, count(*) as count from config_repo_states group by outcome order by outcome',
  recent_parses: 'select repo, at, outcome, matched, parsed, duration_ms from config_repo_parses order by id desc limit 50',
  recent_backups: 'select time, via, status, step, ended_at, bytes, verified from backups order by id desc limit 20',
  failed_stages:
    "select runs.pipeline, runs.counter, stage_runs.stage, stage_runs.counter as stage_counter, stage_runs.result, stage_runs.completed_at from stage_runs join runs on runs.id = stage_runs.run_id where stage_runs.result in ('Failed', 'Cancelled') order by stage_runs.id desc limit 50",
  jobs: 'select state, count(*) as count from jobs where completed_at is null group by state order by state',
  mails: 'select ended_as, count(*) as count, max(attempts) as most_attempts from outbox group by ended_as order by ended_as',
  webhooks: 'select failures, failing_since, delivered_at from webhook_queues order by id limit 100',
  leases: 'select name, epoch from leases order by name',
} as const;

export async function supportFacts(size: DatabaseSize, ask: AskPlain): Promise<SupportFacts> {
  const facts: Partial<Record<keyof typeof QUESTIONS, readonly object[]>> = {};
  for (const name of Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]) facts[name] = await ask(QUESTIONS[name]);
  return { size, facts: facts as SupportFacts['facts'] };
}

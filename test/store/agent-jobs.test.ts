// The jobs of an agent on both engines: a page of the newest costs as much as its rows, however many jobs there are.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { Jobs } from '../../src/store/builds/jobs.ts';
import type { Database } from '../../src/store/database.ts';
import { MIGRATIONS, migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { BuildRows } from '../test-reports/build-rows.ts';

const JOBS = 4000;
const AGENTS = 4;
const BEFORE_INDEX = 20;

const directory = mkdtempSync(join(tmpdir(), 'slipway-agent-jobs-'));
const databases = new Map<string, Database>();
let postgres: Postgres;

before(async () => {
  postgres = await startPostgres();
  databases.set('SQLite', openSqlite(join(directory, 'test.db')));
  databases.set('PostgreSQL', await openPostgres({ url: await postgres.createDatabase(), password: undefined }));
  for (const database of databases.values()) await fill(database);
});

after(async () => {
  for (const database of databases.values()) await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

/** The rows are older than the index: the step that makes it is taken with them. */
async function fill(database: Database): Promise<void> {
  const isSqlite = database.shared === undefined;
  // A new database of PostgreSQL has the newest tables at once.
  await migrate(database, isSqlite ? MIGRATIONS.slice(0, BEFORE_INDEX) : MIGRATIONS);
  await database.shared?.loadFirst(async () => {});
  const rows = new BuildRows(database, 'Shop', 0);
  const { id } = rows.job(rows.run(1));
  await rows.flush();
  const job = (await new Jobs(database).byId(id))!;
  const statements: CompiledQuery[] = [];
  for (let number = 1; number <= JOBS; number++) {
    const state = number % 100 < 4 ? 'Rescheduled' : 'Completed';
    const agent = `agent-${number % AGENTS}`;
    const times = { scheduled_at: number, completed_at: number % 50 === 7 ? null : 2 * number };
    statements.push(...new Jobs(database).add({ ...job, ...times, id: id + number, agent_uuid: agent, state }, undefined));
  }
  await database.writeTransaction(statements);
  if (isSqlite) await migrate(database);
  else await sql`analyze jobs`.execute(database.query);
}

/** The plans of the engine for the queries of a call. */
async function plansOf(database: Database, ask: (jobs: Jobs) => Promise<unknown>): Promise<readonly string[]> {
  const asked: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await ask(new Jobs({ ...database, query: database.query.withPlugin(watch) }));
  const word = database.shared === undefined ? 'explain query plan' : 'explain';
  const plans: string[] = [];
  for (const node of asked) {
    const statement = database.query.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await database.query.executeQuery<Record<string, unknown>>({ ...statement, sql: `${word} ${statement.sql}` });
    plans.push(rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n'));
  }
  return plans;
}

for (const engine of ['SQLite', 'PostgreSQL']) {
  test(`${engine}: the completed jobs of an agent are all there, in order`, async () => {
    const jobs = new Jobs(databases.get(engine)!);
    const page = { column: 'completed', order: 'desc', offset: 0, limit: JOBS } as const;
    const { total, jobs: found } = await jobs.ofAgent('agent-1', page);
    assert.equal(found.length, total);
    assert.ok(total > 0 && found.every(({ state, agent_uuid: agent }) => state === 'Completed' && agent === 'agent-1'));
    assert.deepEqual(
      found.map(({ id }) => id),
      found.map(({ id }) => id).toSorted((one, other) => other - one),
    );
    const next = await jobs.ofAgent('agent-1', { ...page, after: found[9]!.id, limit: 10 });
    assert.deepEqual(next.jobs, found.slice(10, 20));
  });

  for (const order of ['asc', 'desc'] as const)
    test(`${engine}: jobs sorted by their end, ${order}, come from an index in order`, async () => {
      const database = databases.get(engine)!;
      for (const more of [{}, { after: 2000 }]) {
        const page = { column: 'completed', order, offset: 0, limit: 10, ...more } as const;
        const plans = await plansOf(database, (jobs) => jobs.ofAgent('agent-1', page));
        const plan = plans.at(-1)!;
        assert.match(plan, /jobs_completed_by_agent/);
        assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b|\bSCAN\b|Seq Scan/, plan);
      }
    });
}

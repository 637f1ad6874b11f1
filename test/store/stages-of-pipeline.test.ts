// The stage runs of a pipeline: those under way, and those that have ended, are found without reading its whole past.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { StageRuns } from '../../src/store/builds/stage-runs.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

/** The plan of SQLite for the query of a call. */
async function planOf(database: Database, ask: (stageRuns: StageRuns) => Promise<unknown>): Promise<string> {
  const asked: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await ask(new StageRuns({ ...database, query: database.query.withPlugin(watch) }));
  const statement = database.query.getExecutor().compileQuery(asked[0]!, createQueryId());
  const { rows } = await database.query.executeQuery<{ detail: string }>({ ...statement, sql: `explain query plan ${statement.sql}` });
  return rows.map(({ detail }) => detail).join('\n');
}

test('stages of a pipeline are found by an index that holds nothing else', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-stages-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    await migrate(database);
    assert.match(await planOf(database, (stageRuns) => stageRuns.activeOf('web')), /USING INDEX stage_runs_active_of_pipeline /);
    assert.match(await planOf(database, (stageRuns) => stageRuns.endedOf('web', 10, 5)), /USING INDEX stage_runs_ended_of_pipeline /);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

// Access tokens from before their lifetimes were kept, on both engines: each gets the one that its expiry implies.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { draftToken, plainTokenRequest } from '../../src/access/users/token.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

const BEFORE_LIFETIMES = 28;
const CREATED = '2030-01-01T00:00:00.000Z';
const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRIES = [null, '2030-01-31T00:00:00.000Z', '2030-01-01T00:00:00.250Z'];

const directory = mkdtempSync(join(tmpdir(), 'slipway-lifetimes-'));
let postgres: Postgres;
before(async () => {
  postgres = await startPostgres();
});
after(async () => {
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

const OPENERS: Readonly<Record<string, () => Promise<Database> | Database>> = {
  SQLite: () => openSqlite(join(directory, 'test.db')),
  PostgreSQL: async () => openPostgres({ url: await postgres.createDatabase(), password: undefined }),
};

for (const [engine, open] of Object.entries(OPENERS))
  test(`a token of an older schema gets its lifetime on ${engine}`, async () => {
    const database = await open();
    try {
      await migrate(database);
      await database.changeSchema(async (query) => {
        await sql`alter table access_tokens drop column lifetime_ms`.execute(query);
        await query.updateTable('schema_version').set({ version: BEFORE_LIFETIMES }).execute();
      });
      for (const [index, expires_at] of EXPIRIES.entries()) {
        const owner = { loginName: 'ann', authConfigId: 'file' };
        const { lifetime_ms: _, ...token } = draftToken(plainTokenRequest('old'), owner, String(index), new Date(CREATED));
        await database.query
          .insertInto('access_tokens')
          .values({ ...token, expires_at })
          .execute();
      }
      await migrate(database);
      const rows = await database.query.selectFrom('access_tokens').selectAll().orderBy('id').execute();
      assert.deepEqual(
        rows.map(({ lifetime_ms }) => lifetime_ms),
        [null, 30 * DAY_MS, 250],
      );
    } finally {
      await database.close();
    }
  });

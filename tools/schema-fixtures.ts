// Keeps a data directory of every schema in test/fixtures/schemas: the files that an installation of that version starts with.
// Run it when a migration was added. Fixtures that are there stay as they are: they were made by the steps of their time.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { MIGRATIONS, migrate } from '../src/store/migrate.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';
import { TestServer } from '../test/support/server/server.ts';
import { tarOf } from './release/tar.ts';

export const FIXTURES = join(import.meta.dirname, '..', 'test', 'fixtures', 'schemas');
/** Files that a server cannot make anew. */
const FILES = ['cipher.key', 'password.properties'];
const DATABASE = 'slipway.db';

type Row = Readonly<Record<string, SQLOutputValue>>;

export function fixtureOf(schema: number): string {
  return join(FIXTURES, `schema-${String(schema).padStart(3, '0')}.tar.gz`);
}

/** A server that has been used a little. */
async function usedServer(): Promise<TestServer> {
  const server = await TestServer.startEmbedded();
  const post = async (path: string, body: object) => {
    const { status, text } = await server.ask('POST', path, { body });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  };
  const attributes = {
    url: 'https://git.example.org/shop.git',
    branch: 'main',
    auto_update: false,
    username: 'ci',
    password: 'not-to-be-seen',
  };
  const jobs = [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }];
  const pipeline = { name: 'shop', materials: [{ type: 'git', attributes }], stages: [{ name: 'build', jobs }] };
  await post('/api/admin/pipelines', { group: 'sales', pipeline });
  await post('/api/admin/environments', { name: 'production', pipelines: [{ name: 'shop' }] });
  await post('/api/admin/security/roles', { name: 'builders', type: 'gocd', attributes: { users: ['maria'] } });
  await post('/api/users', { login_name: 'maria' });
  await post('/api/current_user/access_tokens', { description: 'a script' });
  return server;
}

function rowsOf(path: string): ReadonlyMap<string, readonly Row[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").all();
  const rows = new Map(tables.map(({ name }) => [String(name), database.prepare(`select * from "${name}"`).all()]));
  database.close();
  return rows;
}

/** With the rows of tables, as far as that schema has these and their columns. */
async function databaseOf(schema: number, path: string, rows: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const database = openSqlite(path);
  await migrate(database, MIGRATIONS.slice(0, schema));
  await database.close();
  const filled = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  for (const [table, all] of rows) {
    const columns = filled
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
    if (columns.length === 0 || table === 'schema_version') continue;
    filled.exec(`delete from "${table}"`);
    for (const row of all) {
      const known = columns.filter((column) => row[column] !== undefined);
      const names = known.map((column) => `"${column}"`).join(', ');
      filled
        .prepare(`insert into "${table}" (${names}) values (${known.map(() => '?').join(', ')})`)
        .run(...known.map((column) => row[column]!));
    }
  }
  filled.exec('PRAGMA journal_mode = DELETE; VACUUM');
  filled.close();
}

async function writeMissing(): Promise<void> {
  const missing = MIGRATIONS.map((_, index) => index + 1).filter((schema) => !existsSync(fixtureOf(schema)));
  if (missing.length === 0) return;
  const server = await usedServer();
  await server.restart(() => writeAll(missing, server.dataDir));
  await server.stop();
}

/** From the data directory of a server that has stopped. */
async function writeAll(schemas: readonly number[], dataDir: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-fixtures-'));
  const rows = rowsOf(join(dataDir, DATABASE));
  for (const schema of schemas) {
    const path = join(folder, `${schema}.db`);
    await databaseOf(schema, path, rows);
    const content = (name: string) => readFileSync(name === DATABASE ? path : join(dataDir, name));
    const entries = [DATABASE, ...FILES].map((name) => ({ name, content: content(name), isProgram: false }));
    writeFileSync(fixtureOf(schema), gzipSync(tarOf(entries, new Date(0)), { level: 9 }));
  }
  rmSync(folder, { recursive: true });
}

if (import.meta.main) await writeMissing();

// The raw limit of writes on PostgreSQL: the rows of one changed environment by prepared statements, in two round trips, without a server.
// It takes the row that orders writes, and then writes the parts of a change: the entity, its revision, the change, an event whose hash
// goes on with the one before, the log of commits with a mark, and the notice to others.
import { hash, randomUUID } from 'node:crypto';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { POSTGRES_TABLES } from '../../../src/store/postgres/newest-schema.ts';
import { environmentBody, environmentName } from '../datasets/environments.ts';

const LOCK = 'select commit, revision, event, event_hash from head where id = 1 for update';
const STATEMENTS = {
  revision: 'insert into revisions (revision, time, actor, token, address, reason) values ($1, $2, $3, $4, $5, $6)',
  change: `insert into changes (revision, position, operation, kind, key, before, after, created, owner, former_owner, label)
    values ($1, 0, 'update', 'environments', $2, $3, $4, 1, null, null, null)`,
  entity: `insert into entities (kind, key, created, revision, etag, value) values ('environments', $1, 1, $2, $3, $4)
    on conflict (kind, key) do update set revision = excluded.revision, etag = excluded.etag, value = excluded.value`,
  event: 'insert into events (number, body, hash) values ($1, $2, $3)',
  head: 'update head set commit = commit + 1, revision = $1, event = $2, event_hash = $3, time = $4 where id = 1',
  commit: "insert into commits (number, revision, event, touched, mark) values ($1, $2, $3, 'events revisions changes entities', $4)",
  notify: "select pg_notify('slipway', $1)",
};

/** As long as that of a real change. */
function eventBody(number: number, revision: number, name: string, etag: string, previousHash: string): string {
  return JSON.stringify({
    number,
    time: new Date().toISOString(),
    type: 'configuration.changed',
    actor: 'admin',
    about: [{ resource: 'environments', id: name, operation: 'update', etag }],
    data: { revision, reason: null, token: 1, address: '127.0.0.1', touched: { environments: 1 }, changes_digest: etag },
    previous_hash: previousHash,
  });
}

export class BarePostgres {
  readonly #connections: readonly Connection[];

  private constructor(connections: readonly Connection[]) {
    this.#connections = connections;
  }

  /** On an empty database. */
  static async open(url: string, count: number): Promise<BarePostgres> {
    const connect = () => Connection.open({ url, password: undefined }, { name: 'bare', pipeline: true });
    const connections = await Promise.all(Array.from({ length: count }, connect));
    const { rows } = await connections[0]!.runOnce("select to_regclass('head') as head");
    if ((rows[0] as { head: string | null }).head === null)
      for (const statement of POSTGRES_TABLES) await connections[0]!.runOnce(statement);
    return new BarePostgres(connections);
  }

  /** Writes for some seconds, and returns how many each second. */
  async write(seconds: number): Promise<number> {
    const startedAt = performance.now();
    const end = startedAt + seconds * 1000;
    let written = 0;
    const work = async (connection: Connection, index: number) => {
      for (let turn = 1; performance.now() < end; turn++) {
        await writeOne(connection, environmentName(index), turn);
        written++;
      }
    };
    await Promise.all(this.#connections.map(work));
    return written / ((performance.now() - startedAt) / 1000);
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

async function writeOne(connection: Connection, name: string, turn: number): Promise<void> {
  const [, locked] = await Promise.all([connection.runOnce('begin'), connection.run({ sql: LOCK, parameters: [] })]);
  const head = locked.rows[0] as { commit: number; revision: number; event: number; event_hash: string };
  const [revision, event, commit] = [head.revision + 1, head.event + 1, head.commit + 1];
  const [before, after] = [environmentBody(name, turn - 1), environmentBody(name, turn)];
  const time = new Date().toISOString();
  const etag = hash('sha256', after);
  const body = eventBody(event, revision, name, etag, head.event_hash);
  const eventHash = hash('sha256', body);
  const run = (sql: string, ...parameters: unknown[]) => connection.run({ sql, parameters });
  await Promise.all([
    run(STATEMENTS.event, event, body, eventHash),
    run(STATEMENTS.revision, revision, time, 'admin', 1, '127.0.0.1', null),
    run(STATEMENTS.change, revision, name, before, after),
    run(STATEMENTS.entity, name, revision, etag, after),
    run(STATEMENTS.head, revision, event, eventHash, Date.now()),
    run(STATEMENTS.commit, commit, revision, event, randomUUID()),
    run(STATEMENTS.notify, String(commit)),
    connection.runOnce('commit'),
  ]);
}

// Durability: a server that is killed at any moment under write load keeps every write it acknowledged, and nothing half done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { etagOf } from '../../src/shape/json/etag.ts';
import { databaseVariablesOf, isEmbedded } from '../support/database/database.ts';
import { rowsIn } from '../support/database/sql.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { basic } from '../support/requests/basic.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { SERVER } from '../support/server/programs.ts';
import { type ServerProcess, startProcess } from '../support/server/server-process.ts';

const ROUNDS = Number(process.env.TEST_ROUNDS ?? 3);
const KILLED_FIRST_STARTS = ROUNDS;
const WRITERS = 6;
const ENTITIES_OF_A_WRITER = 4;
/** A kill comes after so many answers, and then at any moment of the next writes. */
const MAX_ANSWERS = 30;
const MAX_EXTRA_MS = 30;
const LONG_VALUE = 5_000;
const ENVIRONMENTS = '/api/admin/environments';
const STORES = '/api/admin/artifact_stores';
const SHARED = `${ENVIRONMENTS}/shared`;
const PASSWORD = basic('admin', 'secret');

const directories: string[] = [];
let running: ServerProcess | undefined;

after(async () => {
  await running?.end('SIGKILL');
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

test(`every acknowledged write outlives a SIGKILL, ${ROUNDS} times on one data directory`, async () => {
  const dataDir = newDirectory();
  let server = await start(dataDir);
  const created = await send(server, 'POST', ENVIRONMENTS, { name: 'shared' });
  assert.equal(created.status, 200);
  const { body: token } = await send(server, 'POST', '/api/current_user/access_tokens', { description: 'for writers' });
  const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`w${index}`, `Bearer ${token.token}`));
  let acknowledged = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const load = Promise.allSettled(writers.map((writer) => writer.writeUntilCutOff(server)));
    await answersOf(writers, randomInt(WRITERS, MAX_ANSWERS));
    await pause(randomInt(MAX_EXTRA_MS));
    await server.end('SIGKILL');
    for (const end of await load) if (end.status === 'rejected') throw end.reason;
    acknowledged += writers.reduce((sum, writer) => sum + writer.revisions.size, 0);

    server = await start(dataDir);
    assert.doesNotMatch(server.output(), /"level":"(?:warn|error)"/, `round ${round}: the restart had something to complain about`);
    await Promise.all(writers.map((writer) => writer.compareWith(server, `round ${round}`)));
    await compareLists(server, writers, `round ${round}`);
    const log = await readChangeLog(dataDir);
    for (const writer of writers) writer.mustBeIn(log, `round ${round}`);
  }
  await server.end('SIGKILL');
  assert.ok(acknowledged >= ROUNDS * WRITERS, `only ${acknowledged} writes were acknowledged: that tests nothing`);
});

test('a first start that is killed begins anew', async () => {
  const startedAt = performance.now();
  const unharmed = await start(newDirectory());
  const startMs = performance.now() - startedAt;
  await unharmed.end('SIGKILL');
  for (let attempt = 0; attempt < KILLED_FIRST_STARTS; attempt++) {
    const dataDir = newDirectory();
    // One kill in each part of the usual time, so that early and late steps both get theirs.
    await killFirstStart(dataDir, (startMs * (attempt + Math.random())) / KILLED_FIRST_STARTS);
    const server = await start(dataDir);
    assert.equal((await send(server, 'GET', '/api/version')).status, 200, 'the administrator can log in');
    await readChangeLog(dataDir);
    await server.end('SIGKILL');
    assert.deepEqual(
      readdirSync(dataDir).filter((file) => file.endsWith('.new')),
      [],
      'no unfinished file is left',
    );
  }
});

interface Json {
  readonly [key: string]: unknown;
}

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly revision: number;
  readonly body: Json;
}

/** The state that a GET must show; undefined: not found. */
type State = { readonly body: Json; readonly etag: string | null } | undefined;

/** One write and the state of its entity after it: nothing for a deletion. */
interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: Json | undefined;
  readonly intended: Json | undefined;
}

interface Variable {
  readonly name: string;
  readonly secure?: boolean;
  readonly value?: string;
  readonly encrypted_value?: string;
}

/** Writes to entities of its own, one request after the other, and remembers the acknowledged ones. */
class Writer {
  readonly name: string;
  /** A token needs no slow check of a password after each restart, so more writes fit into a round. */
  readonly #authorization: string;
  readonly states = new Map<string, State>();
  /** The revisions acknowledged since the last comparison, and the keys they changed. */
  readonly revisions = new Map<number, string>();
  /** The variable this writer has in the environment that all writers share. */
  #shared: string | undefined;
  #unanswered: Write | { readonly shared: string } | undefined;
  #count = 0;

  constructor(name: string, authorization: string) {
    this.name = name;
    this.#authorization = authorization;
    for (let index = 0; index < ENTITIES_OF_A_WRITER; index++) {
      this.states.set(`${ENVIRONMENTS}/${name}-${index}`, undefined);
      this.states.set(`${STORES}/${name}-${index}`, undefined);
    }
  }

  async writeUntilCutOff(server: ServerProcess): Promise<void> {
    this.revisions.clear();
    try {
      while (true) await (randomInt(6) === 0 ? this.#writeShared(server) : this.#writeOwn(server));
    } catch (failure) {
      if (!(failure instanceof CutOff)) throw failure;
    }
  }

  async #writeOwn(server: ServerProcess): Promise<void> {
    const paths = [...this.states.keys()];
    const write = this.#choose(paths[randomInt(paths.length)]!);
    this.#unanswered = write;
    const answer = await send(server, write.method, write.path, write.body, this.#authorization);
    this.#unanswered = undefined;
    assert.equal(answer.status, 200, `${write.method} ${write.path}: ${JSON.stringify(answer.body)}`);
    const entityPath = pathOfEntity(write);
    this.revisions.set(answer.revision, keyOf(entityPath));
    if (write.intended) assert.deepEqual(withoutCipherTexts(answer.body), write.intended);
    this.states.set(entityPath, write.intended && { body: answer.body, etag: answer.etag });
  }

  #choose(path: string): Write {
    const collection = path.slice(0, path.lastIndexOf('/'));
    const id = path.slice(collection.length + 1);
    const state = this.states.get(path);
    const body = collection === ENVIRONMENTS ? this.#environment(id) : this.#store(id);
    const intended = withoutCipherTexts(body);
    if (!state) return { method: 'POST', path: collection, body, intended };
    const choice = randomInt(4);
    if (choice === 0) return { method: 'DELETE', path, body: undefined, intended: undefined };
    if (choice === 1 && collection === ENVIRONMENTS) return this.#patch(path, state.body);
    return { method: 'PUT', path, body, intended };
  }

  #environment(name: string): Json {
    const environment_variables: Variable[] = [
      { secure: false, name: 'COUNT', value: String(++this.#count) },
      { secure: true, name: 'KEY', value: `key ${this.#count}` },
      { secure: false, name: 'TEXT', value: someText() },
    ];
    return { name, pipelines: [], environment_variables };
  }

  #store(id: string): Json {
    const properties = [
      { key: 'COUNT', value: String(++this.#count) },
      { key: 'TEXT', value: someText() },
    ];
    return { id, plugin_id: 'not.installed', properties };
  }

  #patch(path: string, before: Json): Write {
    const variables = before.environment_variables as readonly Variable[];
    const removed = variables[randomInt(variables.length)];
    const added = { secure: false, name: `PATCHED_${++this.#count}`, value: someText() };
    const left = variables.filter((variable) => variable !== removed);
    return {
      method: 'PATCH',
      path,
      body: { environment_variables: { add: [added], remove: removed ? [removed.name] : [] } },
      intended: withoutCipherTexts({ ...before, environment_variables: [...left, added] }),
    };
  }

  /** All writers change this one at once: none may undo an acknowledged write of another. */
  async #writeShared(server: ServerProcess): Promise<void> {
    const name = `${this.name}_${++this.#count}`;
    this.#unanswered = { shared: name };
    const remove = this.#shared === undefined ? [] : [this.#shared];
    const answer = await send(
      server,
      'PATCH',
      SHARED,
      { environment_variables: { add: [{ name, value: '' }], remove } },
      this.#authorization,
    );
    this.#unanswered = undefined;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    this.revisions.set(answer.revision, keyOf(SHARED));
    this.#shared = name;
  }

  /** Everything acknowledged is there; the one write without an answer is there whole or not at all. */
  async compareWith(server: ServerProcess, when: string): Promise<void> {
    const unanswered = this.#unanswered;
    this.#unanswered = undefined;
    const doubtful = unanswered && 'path' in unanswered ? pathOfEntity(unanswered) : undefined;
    for (const [path, state] of this.states) {
      const found = await read(server, path);
      if (path === doubtful && !isSame(found, state)) {
        const intended = (unanswered as Write).intended;
        assert.deepEqual(found && withoutCipherTexts(found.body), intended, `${when}: half a write at ${path}`);
        this.states.set(path, found);
      } else {
        assert.deepEqual(found, state, `${when}: ${path} is not what was acknowledged`);
      }
    }
    await this.#compareShared(server, unanswered && 'shared' in unanswered ? unanswered.shared : undefined, when);
  }

  async #compareShared(server: ServerProcess, unanswered: string | undefined, when: string): Promise<void> {
    const shared = await read(server, SHARED);
    const names = (shared!.body.environment_variables as readonly Variable[]).map((variable) => variable.name);
    const own = names.filter((name) => name.startsWith(`${this.name}_`));
    const acknowledged = this.#shared === undefined ? [] : [this.#shared];
    if (unanswered !== undefined && own.includes(unanswered)) {
      assert.deepEqual(own, [unanswered], `${when}: half a patch of the shared environment`);
      this.#shared = unanswered;
    } else {
      assert.deepEqual(own, acknowledged, `${when}: a patch of the shared environment was lost`);
    }
  }

  mustBeIn(log: ReadonlyMap<number, string>, when: string): void {
    for (const [revision, key] of this.revisions) {
      assert.equal(log.get(revision), key, `${when}: revision ${revision}, which was acknowledged, is not in the change log`);
    }
  }
}

class CutOff extends Error {}

/** Waits for so many acknowledged writes, however busy the machine is. */
async function answersOf(writers: readonly Writer[], wanted: number): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(1)) {
    if (writers.reduce((sum, writer) => sum + writer.revisions.size, 0) >= wanted) return;
  }
  assert.fail(`not even ${wanted} writes were acknowledged`);
}

async function send(server: ServerProcess, method: string, path: string, body?: Json, authorization = PASSWORD): Promise<Answer> {
  const headers = {
    Authorization: authorization,
    Accept: 'application/vnd.svc+json',
    ...(body && { 'Content-Type': 'application/json' }),
    ...(method === 'PUT' && { 'If-Match': '*' }),
  };
  try {
    const response = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const { _links, ...members } = (await response.json()) as Json;
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      revision: Number(response.headers.get('x-svc-revision')),
      body: withoutLinks(members),
    };
  } catch (failure) {
    throw new CutOff(`${method} ${path} got no answer`, { cause: failure });
  }
}

async function read(server: ServerProcess, path: string): Promise<State> {
  const { status, etag, body } = await send(server, 'GET', path);
  if (status === 404) return undefined;
  assert.equal(status, 200, `GET ${path}: ${JSON.stringify(body)}`);
  return { body, etag };
}

async function compareLists(server: ServerProcess, writers: readonly Writer[], when: string): Promise<void> {
  const wanted = writers.flatMap((writer) => [...writer.states].flatMap(([path, state]) => (state ? [path] : [])));
  const listed = await Promise.all([ENVIRONMENTS, STORES].map((collection) => listedPaths(server, collection)));
  assert.deepEqual(listed.flat().sort(), [SHARED, ...wanted].sort(), `${when}: the lists show other entities`);
}

async function listedPaths(server: ServerProcess, collection: string): Promise<string[]> {
  const { body } = await send(server, 'GET', collection);
  const members = Object.values(body._embedded as Json)[0] as readonly Json[];
  return members.map((member) => `${collection}/${member.id ?? member.name}`);
}

function pathOfEntity({ method, path, body }: Write): string {
  return method === 'POST' ? `${path}/${body!.id ?? body!.name}` : path;
}

function keyOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isSame(found: State, state: State): boolean {
  return found?.etag === state?.etag && (found === undefined) === (state === undefined);
}

function withoutLinks(body: Json): Json {
  return JSON.parse(JSON.stringify(body, (key, value) => (key === '_links' ? undefined : value))) as Json;
}

/** The body as it is shown before the server has encrypted anything. */
function withoutCipherTexts(body: Json): Json {
  const variables = body.environment_variables as readonly Variable[] | undefined;
  if (!variables) return body;
  const withoutSecrets = variables.map(({ name, secure, value }) => (secure ? { secure, name } : { secure, name, value }));
  return { ...body, environment_variables: withoutSecrets };
}

/** Mostly short; now and then long enough that its row takes several pages of the database. */
function someText(): string {
  return 'x'.repeat(randomInt(8) === 0 ? randomInt(1, LONG_VALUE) : randomInt(1, 50));
}

interface ChangeRow {
  readonly revision: number;
  readonly position: number;
  readonly operation: string;
  readonly kind: string;
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface EntityRow {
  readonly kind: string;
  readonly key: string;
  readonly created: number;
  readonly revision: number;
  readonly etag: string;
  readonly value: string;
}

/** Checks that the database is whole and that the change log leads to the entities; returns the last change of each revision. */
async function readChangeLog(dataDir: string): Promise<ReadonlyMap<number, string>> {
  if (isEmbedded) {
    assert.deepEqual(await rows(dataDir, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(await rows(dataDir, 'PRAGMA foreign_key_check'), []);
  }
  const revisions = (await rows<{ revision: number }>(dataDir, 'SELECT revision FROM revisions ORDER BY revision')).map(
    (row) => row.revision,
  );
  assert.deepEqual(
    revisions,
    revisions
      .keys()
      .map((index) => index + 1)
      .toArray(),
    'revisions are consecutive',
  );
  const changes = await rows<ChangeRow>(dataDir, 'SELECT * FROM changes ORDER BY revision, position');
  const entities = await rows<EntityRow>(dataDir, 'SELECT * FROM entities');
  const log = new Map(changes.map(({ revision, key }) => [revision, key]));
  assert.deepEqual([...log.keys()], revisions, 'every revision changed something');
  assert.deepEqual(replay(changes), new Map(entities.map(({ kind, key, revision, value }) => [`${kind} ${key}`, { revision, value }])));
  for (const { kind, key, etag, value } of entities) assert.equal(etag, etagOf(JSON.parse(value)), `the tag of ${kind} ${key}`);
  assert.equal(new Set(entities.map((entity) => entity.created)).size, entities.length, 'each entity has a place of its own');
  return log;
}

function replay(changes: readonly ChangeRow[]): Map<string, { readonly revision: number; readonly value: string }> {
  const entities = new Map<string, { readonly revision: number; readonly value: string }>();
  for (const { revision, operation, kind, key, before, after } of changes) {
    const name = `${kind} ${key}`;
    assert.equal(before, entities.get(name)?.value ?? null, `revision ${revision} starts from what was there`);
    assert.equal(operation, before === null ? 'create' : after === null ? 'delete' : 'update');
    if (after === null) entities.delete(name);
    else entities.set(name, { revision, value: after });
  }
  return entities;
}

async function rows<Row>(dataDir: string, sql: string): Promise<Row[]> {
  return (await rowsIn(dataDir, sql)).map((row) => ({ ...row }) as Row);
}

async function start(dataDir: string): Promise<ServerProcess> {
  running = await startProcess(dataDir);
  return running;
}

async function killFirstStart(dataDir: string, afterMs: number): Promise<void> {
  const variables = await databaseVariablesOf(dataDir);
  const child = spawn(process.execPath, [SERVER, '--data-dir', dataDir, '--port', '0'], {
    env: bareEnvironment({ SLIPWAY_ADMIN_PASSWORD: 'secret', ...variables }),
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  await pause(afterMs);
  child.kill('SIGKILL');
  await gone;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-durability-'));
  directories.push(directory);
  return directory;
}

// Starts a real PostgreSQL server for a test: a cluster, a port and a socket of its own, in a folder that goes with it.
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { PATIENCE_MS } from '../patience.ts';
import { ensureDebianPackages, findProgram } from '../services/debian.ts';
import { findFreePorts } from '../services/slapd.ts';

const run = promisify(execFile);
const USER = 'postgres';
const MAX_CONNECTIONS = 200;
const MAX_KEPT_OUTPUT = 4000;
const TRAVERSABLE = 0o001;
/** `fast` ends all sessions and writes everything to disk; `immediate` is like a crash. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/**
 * Waits until its input ends, which it does however the process of the test ends. Then no test needs the server any more: it is stopped
 * as in a crash, and its folder removed.
 */
const CLEAN_UP = `cat >/dev/null
kill -QUIT "$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)" 2>/dev/null
for attempt in $(seq 100); do [ -e "$1/data/postmaster.pid" ] || break; sleep 0.05; done
rm -rf "$1"`;

type Account = Pick<SpawnOptions, 'uid' | 'gid'>;

export interface PostgresOptions {
  /** Set for tests in which the server crashes and must not forget the writes it has acknowledged. */
  readonly fsync?: boolean;
}

export interface Postgres {
  readonly port: number;
  /** Returns the address of a new, empty database. */
  createDatabase(): Promise<string>;
  restart(mode: keyof typeof SIGNALS): Promise<void>;
  /** Makes the server as it is after a failover that is not complete: it answers, and takes no writes. `select pg_promote()` ends that. */
  becomeStandby(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres({ fsync = false }: PostgresOptions = {}): Promise<Postgres> {
  await ensureDebianPackages(['postgresql']);
  const programs = dirname((await findProgram('initdb'))!);
  const folder = await mkdtemp(join(tmpdir(), 'slipway-pg-'));
  const cleaner = spawn('sh', ['-c', CLEAN_UP, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  cleaner.unref();
  const stop = async (): Promise<void> => {
    if (cleaner.exitCode !== null) return;
    cleaner.ref();
    const cleaned = once(cleaner, 'exit');
    cleaner.stdin!.end();
    await cleaned;
  };
  try {
    const account = await accountFor(folder);
    const data = join(folder, 'data');
    await makeCluster(join(programs, 'initdb'), data, account);
    const [port] = await findFreePorts();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      fsync: fsync ? 'on' : 'off',
      max_connections: MAX_CONNECTIONS,
    };
    const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const start = () => startServer(join(programs, 'postgres'), args, { ...account, cwd: folder }, addressOf(port, USER));
    let server = await start();
    const restart = async (mode: keyof typeof SIGNALS): Promise<void> => {
      const ended = once(server, 'exit');
      server.kill(SIGNALS[mode]);
      await ended;
      server = await start();
    };
    return {
      port,
      createDatabase: () => createDatabase(port),
      restart,
      becomeStandby: async () => {
        await writeFile(join(data, 'standby.signal'), '');
        await restart('fast');
      },
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/** Making a cluster takes much longer than copying one, so the tests of a run make one together. */
async function makeCluster(initdb: string, data: string, account: Account): Promise<void> {
  const options = { ...account, cwd: dirname(data), timeout: PATIENCE_MS };
  const shared = process.env.TEST_RUN_FOLDER && join(process.env.TEST_RUN_FOLDER, 'slipway-pg-cluster');
  if (shared && existsSync(shared)) {
    await run('cp', ['-R', '-p', shared, data], options);
    return;
  }
  const making = ['--no-sync', '--locale=C', '--encoding=UTF8', '--auth=trust', `--username=${USER}`, '--pgdata', data];
  await run(initdb, making, options);
  if (!shared) return;
  // Whole at once: others look for it at any time. Two may have begun to make one; the first is kept.
  const copy = `${data}-copy`;
  await run('cp', ['-R', '-p', data, copy], options);
  await rename(copy, shared).catch((failure: NodeJS.ErrnoException) => {
    if (!existsSync(shared)) throw failure;
  });
}

/** PostgreSQL refuses to run as root. */
async function accountFor(folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (option: string) => Number((await run('id', [option, USER])).stdout);
  const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')]);
  await chown(folder, uid, gid);
  // Folders of tests are closed to other users; the user of PostgreSQL must get through to this one.
  const { mode } = await stat(dirname(folder));
  if ((mode & TRAVERSABLE) === 0) await chmod(dirname(folder), mode | TRAVERSABLE);
  return { uid, gid };
}

/** Returns when it answers. */
async function startServer(program: string, args: readonly string[], options: SpawnOptions, url: string): Promise<ChildProcess> {
  const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  server.stderr!.on('data', (text) => {
    output = `${output}${text}`.slice(-MAX_KEPT_OUTPUT);
  });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const failure = await failureOf(url);
    if (failure === undefined) return server;
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`PostgreSQL ended at once. ${output}`);
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not answer within ${PATIENCE_MS} ms: ${failure.message} ${output}`);
    await sleep(25);
  }
}

async function failureOf(url: string): Promise<Error | undefined> {
  try {
    await asked(url, 'select 1');
    return undefined;
  } catch (failure) {
    return failure as Error; // thrown by the caller, in the end
  }
}

async function createDatabase(port: number): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asked(addressOf(port, USER), `create database ${name}`);
  return addressOf(port, name);
}

async function asked(url: string, sql: string): Promise<void> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  try {
    await connection.runOnce(sql);
  } finally {
    await connection.close();
  }
}

function addressOf(port: number, database: string): string {
  return `postgres://${USER}@127.0.0.1:${port}/${database}`;
}

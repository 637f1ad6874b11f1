// Real Subversion repositories: made by svnadmin, changed by svn, served by svnserve with a password.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isListening } from '../../support/server/port.ts';
import { findFreePorts } from '../../support/services/slapd.ts';

const run = promisify(execFile);
const env = { PATH: process.env.PATH, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };

export class SvnOrigin {
  readonly path: string;
  readonly url: string;
  readonly #home: string;

  private constructor(path: string) {
    this.path = path;
    this.url = pathToFileURL(path).href;
    this.#home = `${path}-settings`;
  }

  static async make(path: string): Promise<SvnOrigin> {
    mkdirSync(path, { recursive: true });
    await run('svnadmin', ['create', path], { env });
    return new SvnOrigin(path);
  }

  async svn(cwd: string, ...args: readonly string[]): Promise<string> {
    return (await run('svn', ['--non-interactive', `--config-dir=${this.#home}`, ...args], { cwd, env })).stdout;
  }

  /** Loads revisions that are described in a few words, all at once. */
  load(revisions: readonly Revision[], first = 1): void {
    const dump = ['SVN-fs-dump-format-version: 2\n', ...revisions.map((revision, index) => dumped(revision, first + index))].join('\n');
    this.loadDump(dump);
  }

  setUuid(uuid: string): void {
    execFileSync('svnadmin', ['setuuid', this.path, uuid], { env });
  }

  loadDump(dump: string): void {
    execFileSync('svnadmin', ['load', '--quiet', this.path], { env, input: dump });
  }
}

export interface Revision {
  readonly message: string;
  readonly author?: string;
  readonly date?: string;
  /** Path → text; null: a directory. */
  readonly added?: Readonly<Record<string, string | null>>;
  readonly changed?: Readonly<Record<string, string>>;
  readonly deleted?: readonly string[];
}

function dumped(
  { message, author = 'ann', date = '2015-07-01T05:20:05.123456Z', added = {}, changed = {}, deleted = [] }: Revision,
  number: number,
): string {
  const properties = propertiesOf({ 'svn:log': message, 'svn:author': author, 'svn:date': date });
  const length = Buffer.byteLength(properties);
  return [
    `Revision-number: ${number}\nProp-content-length: ${length}\nContent-length: ${length}\n\n${properties}\n`,
    ...Object.entries(added).map(([path, text]) => nodeOf(path, 'add', text)),
    ...Object.entries(changed).map(([path, text]) => nodeOf(path, 'change', text)),
    ...deleted.map((path) => `Node-path: ${path}\nNode-action: delete\n\n\n`),
  ].join('');
}

function propertiesOf(properties: Readonly<Record<string, string>>): string {
  const entries = Object.entries(properties).map(
    ([key, value]) => `K ${Buffer.byteLength(key)}\n${key}\nV ${Buffer.byteLength(value)}\n${value}\n`,
  );
  return `${entries.join('')}PROPS-END\n`;
}

function nodeOf(path: string, action: 'add' | 'change', text: string | null): string {
  if (text === null)
    return `Node-path: ${path}\nNode-kind: dir\nNode-action: ${action}\nProp-content-length: 10\nContent-length: 10\n\nPROPS-END\n\n\n`;
  const bytes = Buffer.byteLength(text);
  return `Node-path: ${path}\nNode-kind: file\nNode-action: ${action}\nText-content-length: ${bytes}\nContent-length: ${bytes}\n\n${text}\n\n`;
}

export interface SvnServer {
  /** `svn://127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the repositories of a folder; those that say so in their conf want a password. */
export async function startSvnserve(root: string): Promise<SvnServer> {
  const [port] = await findFreePorts();
  const args = ['--daemon', '--foreground', '--listen-host=127.0.0.1', `--listen-port=${port}`, `--root=${root}`];
  const server = spawn('svnserve', args, { env, stdio: 'ignore' });
  const killServer = (): void => void server.kill('SIGKILL');
  process.once('exit', killServer);
  for (let turn = 0; !(await isListening(port)); turn++) {
    if (turn > 400 || server.exitCode !== null) throw new Error('svnserve does not start.');
    await pause(25);
  }
  return {
    url: `svn://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', killServer);
      await end(server);
    },
  };
}

export function requirePassword({ path }: SvnOrigin, username: string, password: string): void {
  writeFileSync(join(path, 'conf', 'svnserve.conf'), '[general]\nanon-access = none\nauth-access = write\npassword-db = passwd\n');
  writeFileSync(join(path, 'conf', 'passwd'), `[users]\n${username} = ${password}\n`);
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

// The place where measurements are made: temporary directories, our server, bare servers, and a configuration of full size.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyCaughtUp, importDocument, readDocument } from './datasets/document.ts';
import { createEnvironments } from './datasets/environments.ts';
import { createPipelines } from './datasets/pipelines.ts';
import { killPrograms, type Program, startProgram } from './process.ts';
import type { Recording } from './recording.ts';
import type { Pace } from './side-by-side.ts';

const PASSWORD = 'bench';
const root = join(import.meta.dirname, '..', '..');
const bareServer = join(import.meta.dirname, 'bare', 'bare-server.ts');
const diskNoise = join(import.meta.dirname, 'disk-noise-program.ts');

export interface Scale {
  readonly environments: number;
  readonly pipelines: number;
  /** How large the database is of which backups are made. */
  readonly databaseBytes: number;
  readonly pace: Pace;
  /** How many single requests or starts one figure is taken from. */
  readonly requests: number;
  readonly starts: number;
  /** How large a large artifact is, and how many small ones there are. */
  readonly artifactBytes: number;
  readonly artifacts: number;
}

interface Extras {
  /** For Node, before the program. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export class Lab {
  readonly scale: Scale;
  readonly basic = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  readonly #directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  #names = 0;
  #fullDataDir: string | undefined;
  #pipelinesDataDir: string | undefined;

  constructor(scale: Scale) {
    this.scale = scale;
  }

  /** A path for something new. */
  newPath(): string {
    return join(this.#directory, String(++this.#names));
  }

  /** Our server as `npm start` runs it, without npm. */
  startServer(dataDir: string, settings: readonly string[] = [], { flags = [], environment = {} }: Extras = {}): Promise<Program> {
    const start = startScript();
    const args = [...flags, ...start.args, '--data-dir', dataDir, '--port', '0', '--local-agents', '0', ...settings];
    return startProgram(args, this.newPath(), { ...start.environment, SLIPWAY_ADMIN_PASSWORD: PASSWORD, ...environment });
  }

  startBareServer(recording: Recording, { durable = false } = {}): Promise<Program> {
    const file = this.newPath();
    writeFileSync(file, JSON.stringify(recording));
    return startProgram([bareServer, file, ...(durable ? ['--durable', this.newPath()] : [])], this.newPath());
  }

  /** Until it is stopped, something writes to the disk of the data directories without a break. */
  startDiskNoise(): Promise<Program> {
    return startProgram([diskNoise, this.newPath()], this.newPath());
  }

  async newBearer(url: string): Promise<string> {
    const answer = await fetch(`${url}/api/current_user/access_tokens`, {
      method: 'POST',
      headers: { Accept: 'application/vnd.svc.v1+json', Authorization: this.basic, 'Content-Type': 'application/json' },
      body: JSON.stringify({ description: 'bench' }),
    });
    const { token } = (await answer.json()) as { token?: string };
    if (token === undefined) throw new Error(`No token: status ${answer.status}.`);
    return `Bearer ${token}`;
  }

  /** A copy of a data directory with many environments, which are made through the API the first time. */
  async fullDataDir(): Promise<string> {
    this.#fullDataDir ??= await this.#seed((url, authorization) => createEnvironments(url, this.scale.environments, authorization));
    return this.#copyOf(this.#fullDataDir);
  }

  /** A copy of a data directory with many pipelines, and with a history that has kept up. */
  async pipelinesDataDir(): Promise<string> {
    this.#pipelinesDataDir ??= await this.#importPipelines(this.scale.pipelines);
    return this.#copyOf(this.#pipelinesDataDir);
  }

  /** Made one by one on a server of its own, then taken over as one revision: the history of so many would take minutes to write. */
  async #importPipelines(count: number): Promise<string> {
    const source = await this.startServer(this.newPath());
    await createPipelines(source.url, count, await this.newBearer(source.url));
    const document = await readDocument(source.url, this.basic);
    await source.stop();
    return this.#seed(async (url) => {
      await importDocument(url, this.basic, document);
      await historyCaughtUp(url, this.basic);
    });
  }

  async #seed(create: (url: string, authorization: string) => Promise<void>): Promise<string> {
    const dataDir = this.newPath();
    const server = await this.startServer(dataDir);
    await create(server.url, await this.newBearer(server.url));
    await server.stop();
    return dataDir;
  }

  #copyOf(dataDir: string): string {
    const copy = this.newPath();
    mkdirSync(copy);
    cpSync(dataDir, copy, { recursive: true });
    return copy;
  }

  /** Ends everything at once: it also runs when the process is told to stop. */
  close(): void {
    killPrograms();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The arguments that the start script gives to Node, and the environment: `A=1 exec node --flag program`. */
function startScript(): { readonly args: string[]; readonly environment: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const args = scripts.start.split(' ');
  const program = args.indexOf('node');
  if (program < 0) throw new Error(`The start script does not run node: ${scripts.start}`);
  const variables = args.slice(0, program).filter((word) => word.includes('='));
  return { args: args.slice(program + 1), environment: Object.fromEntries(variables.map((variable) => variable.split('='))) };
}

// A program that checks out: no shell, nothing inherited, its output is shown line by line without secrets, and it ends with the job.
import { redactor } from '../../kit/network/repository-address.ts';
import { failureOf } from '../../kit/process/command-failure.ts';
import { type ProcessOptions, RunningCommand } from '../../kit/process/command-process.ts';
import { RecordSplitter } from '../../kit/process/command-records.ts';

export interface ToolContext {
  readonly signal: AbortSignal;
  out(line: string): void;
  err(line: string): void;
  /** Added to the environment of each program: it marks the processes that a killed agent left behind. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ToolOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Words that stand before those of each command. */
  readonly args?: readonly string[];
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its output is for us, not for people. */
  readonly isQuiet?: boolean;
}

const MAX_LINE_BYTES = 64 * 1024;
/** The last lines of its error output name the problem. */
const MAX_ERROR_LINES = 50;

export class Tool {
  readonly #name: string;
  readonly #options: ToolOptions;
  readonly #context: ToolContext;
  readonly #redact: (text: string) => string;
  readonly #maxSecretLength: number;

  constructor(name: string, options: ToolOptions, context: ToolContext) {
    this.#name = name;
    this.#options = options;
    this.#context = context;
    this.#redact = redactor(options.secrets);
    this.#maxSecretLength = Math.max(0, ...options.secrets.map((secret) => secret.length));
  }

  /** Returns the output when it is quiet; throws when it fails. */
  async run(args: readonly string[], { isQuiet = false, env, ...options }: RunOptions = {}): Promise<string> {
    const { signal } = this.#context;
    const errorLines: string[] = [];
    const addErrorLine = (line: string) => {
      errorLines.push(line);
      if (errorLines.length > MAX_ERROR_LINES) errorLines.shift();
      if (!isQuiet) this.#context.err(line);
    };
    const errors = new Lines((line) => addErrorLine(this.#shown(line)));
    const printed: Buffer[] = [];
    const output = new Lines((line) => this.#context.out(this.#shown(line)));
    const process: ProcessOptions = {
      ...options,
      env: { ...this.#context.environment, ...this.#options.env, ...env },
      killsDescendants: true,
    };
    signal.throwIfAborted();
    const command = new RunningCommand(this.#name, [...(this.#options.args ?? []), ...args], process, (chunk) => errors.take(chunk));
    const stop = () => command.stop('aborted');
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let chunk = await command.next(); chunk; chunk = await command.next()) isQuiet ? printed.push(chunk) : output.take(chunk);
      const end = await command.end();
      for (const lines of [output, errors]) lines.end();
      const failure = failureOf(this.#name, options, { ...end, stderr: errorLines.join('\n') });
      if (failure) throw failure;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return Buffer.concat(printed).toString('utf8');
  }

  /** A line that was cut may end within a secret. */
  #shown(line: string): string {
    const isCut = Buffer.byteLength(line) >= MAX_LINE_BYTES;
    return this.#redact(isCut ? this.#redact(line).slice(0, -this.#maxSecretLength || undefined) : line);
  }
}

/** Cuts the output into lines; of a line that was overwritten again and again the last state counts. */
class Lines {
  readonly #splitter = new RecordSplitter('\n', MAX_LINE_BYTES);
  readonly #take: (line: string) => void;

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  take(chunk: Buffer): void {
    for (const line of this.#splitter.take(chunk)) this.#emit(line);
  }

  end(): void {
    const rest = this.#splitter.rest();
    if (rest !== undefined) this.#emit(rest);
  }

  #emit(line: string): void {
    this.#take(line.split('\r').findLast((part) => part !== '') ?? '');
  }
}

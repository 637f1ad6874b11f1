// One running program: its output in chunks, and its end together with everything it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CommandStopped, failureOf, ProgramMissing, type StopReason } from './command-failure.ts';

export interface CommandOptions {
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** What whoever takes the output needs for it does not count. */
  readonly timeoutMs?: number;
  readonly mostOutputBytes?: number;
  readonly signal?: AbortSignal;
  /** Called whenever it prints something. */
  readonly onActivity?: () => void;
  /** Takes secrets out of what it complained about, before that becomes an error. */
  readonly redact?: (text: string) => string;
}

const GRACE_MS = 2_000;
/** Whoever the program left behind may hold on to its output. */
const LAST_OUTPUT_MS = 500;
const MOST_COMPLAINT_BYTES = 8 * 1024;
const MOST_WAITING_BYTES = 256 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const hasGroups = process.platform !== 'win32';

interface End {
  readonly failure?: Error;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class RunningCommand {
  readonly #program: string;
  readonly #options: CommandOptions;
  readonly #child: ChildProcess;
  readonly #end: Promise<End>;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #outputBytes = 0;
  #complaints: Buffer = Buffer.alloc(0);
  #isOutputOver = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;
  #lastWait: NodeJS.Timeout | undefined;
  #stopReason: StopReason | undefined;
  #deadline: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: string, args: readonly string[], options: CommandOptions) {
    this.#program = program;
    this.#options = options;
    this.#child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: hasGroups,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#end = this.#watch();
    this.#deadline = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#awaitDeadline();
    if (options.signal?.aborted) this.stop('aborted');
    else options.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#child.stdin?.on('error', () => {}); // it need not read all it is given
    this.#child.stdin?.end(options.input);
  }

  /** The next piece of its output; undefined: that was all. */
  async next(): Promise<Buffer | undefined> {
    while (this.#waiting.length === 0 && !this.#isOutputOver) {
      if (this.#hasEnded) this.#lastWait ??= setTimeout(() => this.#child.stdout?.destroy(), LAST_OUTPUT_MS);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#waiting.shift();
    if (chunk) this.#waitingBytes -= chunk.length;
    if (this.#waitingBytes < MOST_WAITING_BYTES) this.#child.stdout?.resume();
    return chunk;
  }

  /** Its clock stands still until it is told to go on. */
  hold(): () => void {
    const since = performance.now();
    clearTimeout(this.#timer);
    return () => {
      this.#deadline += performance.now() - since;
      if (!this.#hasEnded) this.#awaitDeadline();
    };
  }

  /** Waits for the end; throws when that was not a good one. Gives what it complained about. */
  async ended(): Promise<string> {
    const { failure, exitCode, signal } = await this.#end;
    const complaints = this.#complaintText();
    if (this.#stopReason !== undefined) throw this.#stopped(this.#stopReason, complaints);
    if (failure) throw this.#notStarted(failure);
    if (exitCode !== 0) throw failureOf(this.#program, exitCode, signal, complaints);
    return complaints;
  }

  /** Ends it and everything it started; politely first, so that it can tidy up. */
  stop(reason: StopReason): void {
    if (this.#hasEnded || this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#signal('SIGTERM');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    this.#isOutputOver = true;
    this.#child.stdout?.resume();
    this.#wakeUp();
  }

  async #watch(): Promise<End> {
    const { stdout, stderr } = this.#child;
    stdout?.on('data', (chunk: Buffer) => this.#takeOutput(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#takeComplaint(chunk));
    stdout?.once('close', () => {
      clearTimeout(this.#lastWait);
      this.#isOutputOver = true;
      this.#wakeUp();
    });
    const stderrClosed = new Promise<void>((resolve) => stderr?.once('close', resolve));
    const end = await new Promise<End>((resolve) => {
      this.#child.once('error', (failure) => resolve({ failure, exitCode: null, signal: null }));
      this.#child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#abort);
    if (this.#stopReason !== undefined) this.#signal('SIGKILL'); // the rest of its group, which has not heard the first
    if (end.failure) this.#isOutputOver = true;
    else await within(LAST_OUTPUT_MS, stderrClosed);
    stderr?.destroy();
    if (this.#stopReason !== undefined) stdout?.destroy();
    this.#wakeUp();
    return end;
  }

  #takeOutput(chunk: Buffer): void {
    if (this.#stopReason !== undefined) return;
    this.#options.onActivity?.();
    this.#outputBytes += chunk.length;
    if (this.#outputBytes > (this.#options.mostOutputBytes ?? Number.POSITIVE_INFINITY)) {
      this.stop('output');
      return;
    }
    clearTimeout(this.#lastWait);
    this.#lastWait = undefined;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MOST_WAITING_BYTES) this.#child.stdout?.pause();
    this.#wakeUp();
  }

  #takeComplaint(chunk: Buffer): void {
    this.#options.onActivity?.();
    const all = Buffer.concat([this.#complaints, chunk]);
    this.#complaints = all.subarray(Math.max(0, all.length - MOST_COMPLAINT_BYTES));
  }

  #complaintText(): string {
    const text = this.#complaints.toString('utf8').trim();
    return this.#options.redact ? this.#options.redact(text) : text;
  }

  #stopped(reason: StopReason, complaints: string): Error {
    const why = {
      timeout: `it took longer than ${Math.round((this.#options.timeoutMs ?? 0) / 100) / 10} seconds`,
      output: `it printed more than ${this.#options.mostOutputBytes} bytes`,
      aborted: 'it is not wanted any more',
    }[reason];
    return new CommandStopped(`${this.#program} was stopped: ${why}.`, this.#program, reason, complaints);
  }

  #notStarted(failure: NodeJS.ErrnoException): Error {
    const { cwd } = this.#options;
    if (failure.code === 'ENOENT' && cwd !== undefined && !existsSync(cwd)) return new Error(`There is no directory ${cwd}.`);
    if (failure.code === 'ENOENT') return new ProgramMissing(this.#program);
    return new Error(`The program ${this.#program} cannot be started: ${failure.code ?? failure.message}.`);
  }

  readonly #abort = () => this.stop('aborted');

  #awaitDeadline(): void {
    const left = this.#deadline - performance.now();
    if (left <= 0) this.stop('timeout');
    else if (left < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#awaitDeadline(), Math.min(left, LONGEST_TIMER_MS));
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(hasGroups ? -pid : pid, signal);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure; // all have ended already
    }
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([done, late]);
  clearTimeout(timer);
}

// One running program: its output in chunks, and its end together with everything it started.
import { type ChildProcess, spawn } from 'node:child_process';
import type { CommandEnd, StopReason } from './command-failure.ts';

export interface ProcessOptions {
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** The time that the consumer of the output takes does not count. */
  readonly timeoutMs?: number;
  /** How long it may print nothing at all. */
  readonly silenceMs?: number;
  readonly maxOutputBytes?: number;
  /** Whether all that it has started and that is still in its group ends with it. Some programs leave a helper behind on purpose. */
  readonly killsDescendants?: boolean;
}

const GRACE_MS = 2_000;
/** Processes that the program left behind may hold its output open. */
const LAST_OUTPUT_MS = 500;
const MAX_COMPLAINT_BYTES = 8 * 1024;
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;
const hasGroups = process.platform !== 'win32';

type Exit = Pick<CommandEnd, 'notStarted' | 'exitCode' | 'signal'>;

export class RunningCommand {
  readonly #maxOutputBytes: number;
  readonly #killsDescendants: boolean;
  readonly #onComplaint: (chunk: Buffer) => void;
  readonly #child: ChildProcess;
  readonly #end: Promise<CommandEnd>;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #outputBytes = 0;
  #errorOutput: Buffer = Buffer.alloc(0);
  #isOutputOver = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;
  #lastWait: NodeJS.Timeout | undefined;
  #stopReason: StopReason | undefined;
  #deadline: number;
  readonly #silenceMs: number;
  #activeAt: number;
  #timer: NodeJS.Timeout | undefined;

  /** `onComplaint` gets the chunks of its standard error as they come. */
  constructor(program: string, args: readonly string[], options: ProcessOptions, onComplaint: (chunk: Buffer) => void) {
    this.#maxOutputBytes = options.maxOutputBytes ?? Number.POSITIVE_INFINITY;
    this.#killsDescendants = options.killsDescendants ?? false;
    this.#onComplaint = onComplaint;
    this.#child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: hasGroups,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#end = this.#watch();
    this.#activeAt = performance.now();
    this.#deadline = this.#activeAt + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#silenceMs = options.silenceMs ?? Number.POSITIVE_INFINITY;
    this.#awaitDeadline();
    // It need not read all of its input; and output that cannot be read counts as missing.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.on('error', () => {});
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
    if (this.#waitingBytes < MAX_WAITING_BYTES) this.#child.stdout?.resume();
    return chunk;
  }

  /** Its clock stands still until the returned function is called. */
  hold(): () => void {
    const since = performance.now();
    clearTimeout(this.#timer);
    return () => {
      const held = performance.now() - since;
      this.#deadline += held;
      this.#activeAt += held;
      if (!this.#hasEnded) this.#awaitDeadline();
    };
  }

  end(): Promise<CommandEnd> {
    return this.#end;
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

  async #watch(): Promise<CommandEnd> {
    const { stdout, stderr } = this.#child;
    stdout?.on('data', (chunk: Buffer) => this.#takeOutput(chunk));
    stderr?.on('data', (chunk: Buffer) => this.#takeComplaint(chunk));
    stdout?.once('close', () => {
      clearTimeout(this.#lastWait);
      this.#isOutputOver = true;
      this.#wakeUp();
    });
    const stderrClosed = new Promise<void>((resolve) => stderr?.once('close', resolve));
    const exit = await new Promise<Exit>((resolve) => {
      this.#child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
        resolve({ notStarted: code ?? message, exitCode: null, signal: null }),
      );
      this.#child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    // The rest of its process group; when it was stopped, processes that survived the first signal.
    if (this.#stopReason !== undefined || this.#killsDescendants) this.#signal('SIGKILL');
    if (exit.notStarted !== undefined) this.#isOutputOver = true;
    else await within(LAST_OUTPUT_MS, stderrClosed);
    stderr?.destroy();
    if (this.#stopReason !== undefined) stdout?.destroy();
    this.#wakeUp();
    return { ...exit, stopped: this.#stopReason, stderr: this.#errorOutput.toString('utf8').trim() };
  }

  #takeOutput(chunk: Buffer): void {
    if (this.#stopReason !== undefined) return;
    this.#activeAt = performance.now();
    this.#outputBytes += chunk.length;
    if (this.#outputBytes > this.#maxOutputBytes) {
      this.stop('output');
      return;
    }
    clearTimeout(this.#lastWait);
    this.#lastWait = undefined;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) this.#child.stdout?.pause();
    this.#wakeUp();
  }

  #takeComplaint(chunk: Buffer): void {
    this.#activeAt = performance.now();
    this.#onComplaint(chunk);
    const all = Buffer.concat([this.#errorOutput, chunk]);
    this.#errorOutput = all.subarray(Math.max(0, all.length - MAX_COMPLAINT_BYTES));
  }

  #awaitDeadline(): void {
    const now = performance.now();
    const left = this.#deadline - now;
    const patience = this.#activeAt + this.#silenceMs - now;
    const nearest = Math.min(left, patience);
    if (left <= 0) this.stop('timeout');
    else if (patience <= 0) this.stop('silence');
    else if (nearest < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#awaitDeadline(), Math.min(nearest, MAX_TIMER_MS));
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

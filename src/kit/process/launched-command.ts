// A command as the server sees it: another, small process starts it and listens to it, because starting a process stops a large one for long.
import { type ChildProcess, fork } from 'node:child_process';
import { hasRecentRequests } from '../concurrency/request-activity.ts';
import { once } from '../once.ts';
import { type CommandEnd, failureOf, type StopReason } from './command-failure.ts';
import type { FromLauncher, ToLauncher } from './command-messages.ts';
import type { ProcessOptions } from './command-process.ts';
import { compiledCode } from './compiled-code.ts';
import { ownProgramFile } from './own-program.ts';
import { leavingOneProcessor } from './processors.ts';

export interface CommandOptions extends ProcessOptions {
  readonly signal?: AbortSignal;
  /** Called whenever it prints something. */
  readonly onActivity?: () => void;
  /** Takes secrets out of its standard error, before that becomes an error. */
  readonly redact?: (text: string) => string;
}

const PROGRAM = ownProgramFile('kit/process/command-launcher.ts');
const GONE: CommandEnd = { notStarted: 'the process that starts programs has ended', exitCode: null, signal: null, stderr: '' };
/** Most commands print so little that nothing need be acknowledged at all. */
const ACKNOWLEDGE_EVERY = 2;
/** While requests come in, programs keep off one processor: a program that starts holds up everything else on its processor. */
const aside = once(leavingOneProcessor);
/** Time between the starts of two programs, so that there is room between them; more than a thousand start in a minute nevertheless. */
const GAP_MS = 30;
/** The launcher needs little memory: it only moves bytes. */
const LAUNCHER_FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=1'];

export class Command {
  readonly #program: string;
  readonly #options: CommandOptions;
  readonly #launcher: Launcher;
  readonly #id: number;
  readonly #end = Promise.withResolvers<CommandEnd>();
  readonly #waiting: Buffer[] = [];
  /** How many pieces are not acknowledged yet. */
  #taken = 0;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(program: string, args: readonly string[], options: CommandOptions) {
    const { signal, onActivity, redact, ...rest } = options;
    this.#program = program;
    this.#options = options;
    this.#launcher = currentLauncher();
    this.#id = this.#launcher.begin((message) => this.#onMessage(message));
    this.#send({ id: this.#id, kind: 'start', program, args, options: rest });
    if (signal?.aborted) this.stop('aborted');
    else signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** The next piece of its output; undefined: that was all. */
  async next(): Promise<Buffer | undefined> {
    while (this.#waiting.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#waiting.shift();
    if (chunk && ++this.#taken >= ACKNOWLEDGE_EVERY && !this.#hasEnded) {
      this.#send({ id: this.#id, kind: 'taken', count: this.#taken });
      this.#taken = 0;
    }
    return chunk;
  }

  /** Waits for the end; throws when that was not a good one. Returns its standard error. */
  async ended(): Promise<string> {
    const end = await this.#end.promise;
    const stderr = this.#options.redact?.(end.stderr) ?? end.stderr;
    const failure = failureOf(this.#program, this.#options, { ...end, stderr });
    if (failure) throw failure;
    return stderr;
  }

  /** Ends it and everything it started. */
  stop(reason: StopReason): void {
    if (!this.#hasEnded) this.#send({ id: this.#id, kind: 'stop', reason });
  }

  readonly #abort = () => this.stop('aborted');

  #onMessage(message: FromLauncher | undefined): void {
    if (message?.kind === 'activity' || message?.kind === 'output') this.#options.onActivity?.();
    const chunk = message && 'chunk' in message ? message.chunk : undefined;
    if (chunk) this.#waiting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (message === undefined || message.kind === 'end') {
      this.#hasEnded = true;
      this.#options.signal?.removeEventListener('abort', this.#abort);
      this.#launcher.finish(this.#id);
      this.#end.resolve(message?.end ?? GONE);
    }
    this.#wake?.();
    this.#wake = undefined;
  }

  #send(message: ToLauncher): void {
    this.#launcher.send(message);
  }
}

/** Starting a process takes a launcher a while; a second one helps when many are wanted at once. */
const MAX_LAUNCHERS = 2;
const BUSY = 4;
let launchers: readonly Launcher[] = [];

/** Started when they are needed for the first time, and again should they end. */
function currentLauncher(): Launcher {
  launchers = launchers.filter(({ isRunning }) => isRunning);
  const prefix = hasRecentRequests() ? aside() : undefined;
  const fitting = launchers.filter((one) => one.prefix === prefix).toSorted((one, other) => one.running - other.running);
  const [idlest] = fitting;
  if (idlest && (idlest.running < BUSY || fitting.length >= MAX_LAUNCHERS)) return idlest;
  const another = new Launcher(prefix);
  launchers = [...launchers, another];
  return another;
}

/** Receives the messages about its command; undefined: no more will come. */
type Listener = (message: FromLauncher | undefined) => void;

class Launcher {
  readonly #child: ChildProcess;
  readonly #listeners = new Map<number, Listener>();
  readonly prefix: readonly string[] | undefined;
  #lastId = 0;

  /** `prefix`: the first words of the command that starts it. */
  constructor(prefix: readonly string[] | undefined) {
    this.prefix = prefix;
    const [execPath = process.execPath, ...prefixArgs] = prefix ? [...prefix, process.execPath] : [];
    this.#child = fork(PROGRAM, prefix ? [String(GAP_MS)] : [], {
      execPath,
      env: { ...compiledCode() },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...prefixArgs, ...LAUNCHER_FLAGS],
    });
    this.#child.on('message', (message: FromLauncher) => this.#listeners.get(message.id)?.(message));
    for (const event of ['error', 'disconnect', 'exit']) this.#child.once(event, () => this.#forgetAll());
    // The server may end while this process runs; only a running command keeps the server alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isRunning(): boolean {
    const { connected, exitCode, signalCode } = this.#child;
    return connected && exitCode === null && signalCode === null;
  }

  get running(): number {
    return this.#listeners.size;
  }

  begin(listener: Listener): number {
    this.#listeners.set(++this.#lastId, listener);
    this.#child.channel?.ref();
    return this.#lastId;
  }

  finish(id: number): void {
    this.#listeners.delete(id);
    if (this.#listeners.size === 0) this.#child.channel?.unref();
  }

  send(message: ToLauncher): void {
    this.#child.send(message, (failure) => {
      if (failure) this.#listeners.get(message.id)?.(undefined);
    });
  }

  #forgetAll(): void {
    for (const listener of [...this.#listeners.values()]) listener(undefined);
  }
}

// Runs a program as a task does: in a session of its own, its output on the console, and nothing of it left when it has ended.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobConsole } from '../console/job-console.ts';
import { TAGS } from '../console/tags.ts';
import { endProcessTree } from '../processes/end-processes.ts';
import { MARKER, type Origin, originOf } from '../processes/process-tree.ts';
import type { TaskCommand } from './command-of.ts';

/** How long processes that a program left behind have to end by themselves. */
const LEFT_BEHIND_MS = 2000;
/** How long the agent waits for more output when a process that it cannot find holds the pipe open. */
const LAST_OUTPUT_MS = 5000;

export interface CommandContext {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The beginning of the marker of its processes. */
  readonly marker: string;
  readonly console: JobConsole;
  /** The folder in which only tasks of this agent start processes. */
  readonly ownFolder?: string;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It could not be started. */
  readonly failure?: NodeJS.ErrnoException;
  /** Its output had the words that mean failure. */
  readonly printedFailure: boolean;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

export class RunningCommand {
  readonly #child: Child | undefined;
  readonly #origin: Origin | undefined;
  readonly ended: Promise<ProcessExit>;
  #keepsProcesses = false;

  constructor({ program, arguments: args, failureText }: TaskCommand, { folder, environment, marker, console, ownFolder }: CommandContext) {
    const mark = `${marker}.${randomUUID()}`;
    try {
      this.#child = spawn(program, args, {
        cwd: folder,
        env: { ...environment, [MARKER]: markerIn(process.env[MARKER], mark) },
        detached: true,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (failure) {
      // A name or a variable with a zero byte, for example.
      this.ended = Promise.resolve({ code: null, signal: null, failure: failure as Error, printedFailure: false });
      return;
    }
    if (this.#child.pid !== undefined) this.#origin = originOf(this.#child.pid, mark, ownFolder);
    this.ended = this.#run(this.#child, console, failureText);
  }

  /** TERM for all of its processes, and KILL for those that are left after a while. */
  async end(graceMs: number, killSignal?: AbortSignal): Promise<void> {
    if (this.#origin) await endProcessTree(this.#origin, graceMs, killSignal);
  }

  /** Its processes may stay when it has ended. */
  keepProcesses(): void {
    this.#keepsProcesses = true;
  }

  async #run(child: Child, console: JobConsole, failureText: string | undefined): Promise<ProcessExit> {
    const finder = new TextFinder(failureText);
    const onLines = failureText === undefined ? undefined : (lines: Buffer) => finder.search(lines);
    const output = Promise.all([console.take(child.stdout, TAGS.out, onLines), console.take(child.stderr, TAGS.error, onLines)]);
    const exit = await new Promise<Omit<ProcessExit, 'printedFailure'>>((resolve) => {
      child.once('error', (failure) => resolve({ code: null, signal: null, failure }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    if (!this.#keepsProcesses) await this.end(LEFT_BEHIND_MS);
    await Promise.race([output, untilSilent(child)]);
    child.stdout.destroy();
    child.stderr.destroy();
    await output;
    return { ...exit, printedFailure: finder.isFound };
  }
}

/** Within a job of another agent, its processes stay that agent's, too. */
function markerIn(outer: string | undefined, own: string): string {
  return outer ? `${outer} ${own}` : own;
}

/** Output that waits for the server is not lost: only when no more output comes, a process outside the task holds the pipe. */
async function untilSilent({ stdout, stderr }: Child): Promise<void> {
  for (let [seen, now] = [-1, 0]; seen !== now || stdout.isPaused() || stderr.isPaused(); ) {
    seen = now;
    await pause(LAST_OUTPUT_MS, undefined, { ref: false });
    now = bytesOf(stdout) + bytesOf(stderr);
  }
}

function bytesOf(stream: Readable): number {
  return 'bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0;
}

/** Finds words in output that comes in pieces of whole lines. */
class TextFinder {
  readonly #text: string | undefined;
  isFound = false;

  constructor(text: string | undefined) {
    this.#text = text;
  }

  search(lines: Buffer): void {
    if (this.#text !== undefined) this.isFound ||= lines.includes(this.#text);
  }
}

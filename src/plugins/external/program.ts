// Starts the program of an external plugin for one request: without a shell, in a group of its own, and only with so much time, memory and output.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { MAX_ANSWER_BYTES } from '../../formats/external/protocol.ts';
import { Semaphore } from '../../kit/concurrency/limits/semaphore.ts';
import { CommandFailure, CommandStopped, runCommand } from '../../kit/process/command.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import type { Manifest } from './manifest.ts';

export interface ProgramParts {
  /** The folder of the plugin, in which it runs. */
  readonly directory: string;
  /** The search path of the server. */
  readonly path: string;
}

const AT_ONCE = 2;
const WAITING = { max: 10_000, maxMs: 10 * 60_000 };
const MAX_COMPLAINT_LENGTH = 500;
const MEGABYTE = 1024 * 1024;

/** Failures of it are in words for the author of the file that it was given. */
export class PluginProgram {
  readonly #manifest: Manifest;
  readonly #parts: ProgramParts;
  readonly #commandLine: readonly string[];
  readonly #slots = new Semaphore(AT_ONCE, WAITING.max, WAITING.maxMs);

  constructor(manifest: Manifest, parts: ProgramParts) {
    this.#manifest = manifest;
    this.#parts = parts;
    this.#commandLine = [
      ...memoryLimit(manifest.megabytes, parts.path),
      programIn(parts.directory, manifest.command[0]!),
      ...manifest.command.slice(1),
    ];
  }

  ask(request: object, signal?: AbortSignal): Promise<string> {
    const run = () =>
      this.#run(JSON.stringify(request), signal).catch((failure) => {
        throw new Error(this.#failureText(failure), { cause: failure });
      });
    return this.#slots.run(run, () => new Error(`Too many files wait for the plugin ${this.#manifest.id}.`));
  }

  async #run(input: string, signal: AbortSignal | undefined): Promise<string> {
    const { directory, path } = this.#parts;
    const [program = '', ...args] = this.#commandLine;
    const { stdout } = await runCommand(program, args, {
      cwd: directory,
      // Nothing of the environment of the server.
      env: { PATH: path, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
      input,
      timeoutMs: this.#manifest.seconds * 1000,
      maxOutputBytes: MAX_ANSWER_BYTES,
      killsDescendants: true,
      ...(signal && { signal }),
    });
    return stdout;
  }

  #failureText(failure: unknown): string {
    const plugin = `The plugin ${this.#manifest.id}`;
    if (failure instanceof CommandStopped) {
      switch (failure.reason) {
        case 'timeout':
          return `${plugin} was stopped, because it took longer than ${pluralize(this.#manifest.seconds, 'second')}.`;
        case 'output':
          return `${plugin} was stopped, because its answer has more than ${MAX_ANSWER_BYTES / MEGABYTE} MB.`;
        case 'aborted':
          return `${plugin} was stopped, because the server no longer waits for its answer.`;
      }
    }
    if (!(failure instanceof CommandFailure)) return `${plugin} cannot be started: ${(failure as Error).message}`;
    const how = failure.exitCode === null ? 'was ended by a signal' : `ended with status ${failure.exitCode}`;
    const complaint = failure.stderr.slice(-MAX_COMPLAINT_LENGTH);
    return `${plugin} ${how}${complaint === '' ? '.' : `: ${complaint}`}`;
  }
}

/** Whether the memory of a plugin can be limited on this machine. */
export function limitsMemory(path: string): boolean {
  return found('prlimit', path) !== undefined;
}

/** Counts writable memory, used or not: more than a program of the same size seems to need, and less than its address space. */
function memoryLimit(megabytes: number, path: string): readonly string[] {
  const prlimit = found('prlimit', path);
  return prlimit === undefined ? [] : [prlimit, `--data=${megabytes * MEGABYTE}`, '--core=0'];
}

/** A name with a folder in it is one of the plugin's own files. */
function programIn(directory: string, program: string): string {
  return program.includes('/') && !isAbsolute(program) ? join(directory, program) : program;
}

function found(program: string, path: string): string | undefined {
  const isExecutable = (file: string) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // it is not there, or not for us
    }
  };
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

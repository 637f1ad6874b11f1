// The git program of the machine: whether it is there and new enough, and how it is started without settings of the machine and its users.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { devNull } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** The first one that serves version 2 of the protocol. */
const OLDEST = [2, 18] as const;
const MAX_ANSWER_MS = 10_000;

export class GitProgram {
  readonly #path: string;
  #isGood = false;

  constructor(path = 'git') {
    this.#path = path;
  }

  /** Why git cannot be used; undefined: it can. */
  async problem(): Promise<string | undefined> {
    if (this.#isGood) return undefined;
    const answer = await this.#ask();
    if (answer === undefined) return 'The program git cannot be started on this server. Install it and see that it is on the PATH.';
    const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(answer) ?? [];
    this.#isGood = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
    return this.#isGood
      ? undefined
      : `The program git on this server is too old: ${OLDEST.join('.')} or later is needed. It says: ${answer}`;
  }

  start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): GitProcess {
    // The directory may belong to another user than this process, which git would refuse.
    return spawn(this.#path, ['-c', 'safe.directory=*', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...bareEnvironment(), ...environment },
      windowsHide: true,
    });
  }

  #ask(): Promise<string | undefined> {
    return new Promise((resolve) => {
      execFile(this.#path, ['version'], { env: bareEnvironment(), timeout: MAX_ANSWER_MS }, (failure, stdout) =>
        resolve(failure ? undefined : stdout.trim().slice(0, 100)),
      );
    });
  }
}

function bareEnvironment(): Record<string, string> {
  const { PATH = '', SYSTEMROOT } = process.env;
  return {
    PATH,
    ...(SYSTEMROOT !== undefined && { SYSTEMROOT }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

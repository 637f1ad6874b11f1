// An `hg` on the PATH that hands its commands to a process of Mercurial that stays: to start Python takes longer than most commands.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { findProgram } from '../../support/services/debian.ts';

/**
 * The commands of the product go through `chg`, which comes with Mercurial: it forks a process that has everything loaded, and gives it
 * the arguments, the environment, the folder and the outputs of its caller. Without `chg`, or with `TEST_HG=plain`, each starts `hg`.
 */
export class QuickHg {
  readonly #folder: string;
  readonly #path = process.env.PATH;
  #quickPath = process.env.PATH;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** The process that stays ends when the folder is removed. */
  static async install(folder: string): Promise<QuickHg> {
    const quick = new QuickHg(folder);
    const [hg, chg] = [await findProgram('hg'), await findProgram('chg')];
    if (hg !== undefined && chg !== undefined && process.env.TEST_HG !== 'plain') quick.#write(hg, chg);
    process.env.PATH = quick.#quickPath;
    return quick;
  }

  #write(hg: string, chg: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // The extensions of the product read the environment while hg starts. Bytecode is of no interest to a process that has everything loaded.
    const script = `#!/bin/sh
case "$*" in *extensions.slipway-*) exec '${hg}' "$@";; esac
unset PYTHONDONTWRITEBYTECODE
CHGHG='${hg}' CHGSOCKNAME='${join(this.#folder, 'server')}' exec '${chg}' "$@"
`;
    writeFileSync(join(this.#folder, 'hg'), script);
    chmodSync(join(this.#folder, 'hg'), 0o755);
    this.#quickPath = [this.#folder, this.#path].join(delimiter);
  }

  /** For a test about the process itself, as one that it ends: chg would be ended in its place. */
  leaveOut(test: TestContext): void {
    process.env.PATH = this.#path;
    test.after(() => void (process.env.PATH = this.#quickPath));
  }

  remove(): void {
    process.env.PATH = this.#path;
  }
}

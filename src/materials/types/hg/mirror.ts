// The server's own copy of the branch of a Mercurial repository that a material follows.
import { CommandFailure, CommandStopped } from '../../../kit/process/command.ts';
import type { PollContext } from '../../clients/client.ts';
import { LocalCopy } from '../../clients/local-copy.ts';
import type { Hg } from './hg.ts';

const FOLDER = 'mirror.hg';
const UNRELATED = /^abort: repository is unrelated/m;

export class HgMirror {
  readonly #copy: LocalCopy;
  readonly #hg: Hg;

  constructor(hg: Hg, context: PollContext) {
    this.#copy = new LocalCopy(FOLDER, { url: hg.url, branch: hg.branch }, context);
    this.#hg = hg;
  }

  get path(): string {
    return this.#copy.path;
  }

  get exists(): boolean {
    return this.#copy.exists;
  }

  /** Brings it to the current state of the repository. */
  async update(): Promise<void> {
    if (!this.exists) return this.#create();
    const { source, branch } = this.#hg;
    const args = ['--repository', this.path, 'pull', '--quiet', `--branch=${branch}`, '--', source];
    try {
      await this.#copy.fill((watched) => this.#hg.runRemote(args, watched));
    } catch (failure) {
      if (!isReplaced(failure)) throw failure;
      await this.#create();
    }
  }

  async #create(): Promise<void> {
    const { source, branch } = this.#hg;
    await this.remove();
    const args = ['clone', '--quiet', '--noupdate', '--pull', `--branch=${branch}`, '--', source, this.path];
    await this.#copy.fill((watched) => this.#hg.runRemote(args, watched));
  }

  /** Whether it is there but cannot be read. */
  async isDamaged(): Promise<boolean> {
    if (!this.exists) return false;
    try {
      await this.#hg.run(['--repository', this.path, 'log', '--limit=1', '--template={files}']);
      return false;
    } catch (failure) {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      return true;
    }
  }

  async remove(): Promise<void> {
    await this.#copy.remove();
  }
}

/** Whether another repository is at the address now: hg refuses to pull it into a copy of the former one. */
function isReplaced(failure: unknown): boolean {
  return failure instanceof CommandFailure && !(failure instanceof CommandStopped) && UNRELATED.test(failure.stderr);
}

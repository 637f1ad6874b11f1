// The update cycles of all config repos, from each `start` to the next `stop`. Between them another server brings repos up to date, and
// nothing is known of them here.
import type { JoinableChanges } from '../../config/joint/joinable-changes.ts';
import { NotKeeper } from '../../kit/concurrency/periodic/keeper.ts';
import type { PollRequestResult } from '../../materials/polling/poll-schedule.ts';
import { ActiveCycles } from './active-cycles.ts';
import type { CycleParts } from './cycle-parts.ts';
import { JointPublishing } from './joint-publishing.ts';
import type { RepoCycle } from './repo-cycle.ts';

export class ConfigRepoCycles {
  readonly #parts: CycleParts;
  #active: ActiveCycles | undefined;
  #resumed: Promise<void> = Promise.resolve();

  constructor(parts: CycleParts) {
    this.#parts = parts;
    parts.changes.listen((revision) => this.#active?.configChanged(revision));
    parts.changes.setJoinable(this.#joinableChanges());
    parts.materials.listen((poll) => this.#active?.pollEnded(poll));
  }

  /** Returns when the states of the repos are known. Then unfinished work is resumed: see `resumed`. */
  async start(): Promise<void> {
    const active = new ActiveCycles(this.#parts, await this.#parts.states.all());
    this.#active = active;
    await active.removalsDone();
    this.#resumed = active.resume().catch((failure: unknown) => this.#parts.onFault(failure, 'config repos could not be resumed'));
  }

  /** After the runner has stopped. Returns when nothing is under way. */
  async stop(): Promise<void> {
    const active = this.#active;
    this.#active = undefined;
    await active?.close();
  }

  /** Returns when the work left unfinished before the last start has been resumed. */
  get resumed(): Promise<void> {
    return this.#resumed;
  }

  /** Brings a repo up to date; `busy`: it is being updated already. */
  async update(id: string): Promise<PollRequestResult> {
    return this.#mustBeActive().update(id);
  }

  /** Whether work on a repo is under way; work that waits for the end of maintenance is not. */
  async isUpdating(id: string): Promise<boolean> {
    return this.#mustBeActive().isUpdating(id);
  }

  /** For builds, which start before this: until the work left unfinished has been resumed, each repo may have something to read. */
  async isReading(id: string): Promise<boolean> {
    await this.#resumed;
    return this.#active?.isUpdating(id) ?? true;
  }

  /** The last known state of a repo, and why it could not be fetched the last time. */
  knownOf(id: string): Pick<RepoCycle, 'known' | 'pollFailure'> {
    return this.#mustBeActive().knownOf(id);
  }

  /** Tries refused repos again. To be called when something other than the configuration has changed that may be the reason. */
  retryRefused(): void {
    this.#active?.retryRefused();
  }

  /** All servers decide alike: a server that is not the keeper reads the refused definitions from the database when they may help. */
  #joinableChanges(): JoinableChanges {
    const current = () => this.#active;
    const readNow = async (): Promise<JoinableChanges> => {
      const states = (await this.#parts.states.all()).filter(({ outcome }) => outcome === 'refused');
      return new JointPublishing({ ...this.#parts, refused: () => states });
    };
    return {
      get hasAny() {
        return current()?.jointPublishing.hasAny ?? true;
      },
      find: async (refused, found) => {
        const joinable: JoinableChanges = current()?.jointPublishing ?? (await readNow());
        return joinable.find(refused, found);
      },
    };
  }

  #mustBeActive(): ActiveCycles {
    if (!this.#active) throw new NotKeeper();
    return this.#active;
  }
}

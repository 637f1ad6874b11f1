// The update cycles of all config repos, from each `start` to the next `stop`. Between them another server brings repos up to date, and
// nothing is known of them here.
import type { WaitingChanges } from '../../config/joint/waiting-changes.ts';
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
    parts.changes.joinWaiting(this.#waitingChanges());
    parts.materials.listen((poll) => this.#active?.pollEnded(poll));
  }

  /** Returns when the states of the repos are known. Then unfinished work is resumed: see `resumed`. */
  async start(): Promise<void> {
    const active = new ActiveCycles(this.#parts, await this.#parts.states.all());
    this.#active = active;
    await active.whenGoneLeft();
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

  /** Brings a repo up to date; `busy`: that is being done already. */
  async update(id: string): Promise<PollRequestResult> {
    return this.#mustBeActive().update(id);
  }

  /** Whether work on it is under way; work that waits for the end of a pause is not. */
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

  /** To be called when something else has changed that they may have been refused for. */
  retryRefused(): void {
    this.#active?.retryRefused();
  }

  /** All servers decide alike: a server that is not the keeper reads the refused definitions from the database when they may help. */
  #waitingChanges(): WaitingChanges {
    const current = () => this.#active;
    const readNow = async (): Promise<WaitingChanges> => {
      const refused = (await this.#parts.states.all()).filter(({ outcome }) => outcome === 'refused');
      return new JointPublishing({ ...this.#parts, refused: () => refused });
    };
    return {
      get areThere() {
        return current()?.jointPublishing.areThere ?? true;
      },
      find: async (unaccepted, found) => {
        const waiting: WaitingChanges = current()?.jointPublishing ?? (await readNow());
        return waiting.find(unaccepted, found);
      },
    };
  }

  #mustBeActive(): ActiveCycles {
    if (!this.#active) throw new NotKeeper();
    return this.#active;
  }
}

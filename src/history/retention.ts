// How much of the history is kept: all of it, or from some days ago on. Revisions with a name are kept in any case.
import { pause } from '../kit/concurrency/time-slices.ts';
import type { Compaction, EmptiedValue, FollowingChange } from '../store/revisions/compaction.ts';
import type { RevisionLog } from '../store/revisions/revision-log.ts';
import type { RevisionNames } from '../store/revisions/revision-names.ts';

interface Parts {
  readonly compaction: Compaction;
  readonly names: Pick<RevisionNames, 'has' | 'all'>;
  readonly log: Pick<RevisionLog, 'lastUntil'>;
}

const DAY_MS = 86_400_000;
/** One transaction each, so that other writes do not wait for long. */
const CHANGES_AT_ONCE = 200;

export class Retention {
  readonly #parts: Parts;
  /** From this revision on everything is kept. */
  #keptFrom: number;

  private constructor(parts: Parts, keptFrom: number) {
    this.#parts = parts;
    this.#keptFrom = keptFrom;
  }

  static async load(parts: Parts): Promise<Retention> {
    return new Retention(parts, (await parts.compaction.state()).kept_from);
  }

  /** Another server may have compacted. */
  async reload(): Promise<void> {
    this.#keptFrom = (await this.#parts.compaction.state()).kept_from;
  }

  get keptFrom(): number {
    return this.#keptFrom;
  }

  async isKept(revision: number): Promise<boolean> {
    return revision >= this.#keptFrom || this.#parts.names.has(revision);
  }

  /** Compacts revisions that are older than `days`. It may be aborted at any time, and goes on with the next call. */
  async compact(days: number, now: number, signal: AbortSignal): Promise<void> {
    const { compaction, log } = this.#parts;
    const last = await log.lastUntil(new Date(now - days * DAY_MS).toISOString());
    // Another server may have compacted more than this one knows: values that it has emptied are lost.
    if (last !== undefined && last > (await compaction.state()).kept_from) await compaction.keepFrom(last);
    const { kept_from, done_to } = await compaction.state();
    this.#keptFrom = kept_from;
    let after = { revision: done_to, position: Number.MAX_SAFE_INTEGER };
    while (!signal.aborted) {
      const changes = await compaction.changes(after, kept_from - 1, CHANGES_AT_ONCE);
      const end = changes.at(-1);
      // A revision that is cut in two is begun anew after a crash.
      const doneTo = changes.length < CHANGES_AT_ONCE ? Math.max(done_to, kept_from - 1) : Math.max(done_to, end!.revision - 1);
      if (end || doneTo > done_to) {
        await compaction.empty(unneeded(changes, await this.#parts.names.all()), { kept_from, done_to: doneTo });
      }
      if (!end || changes.length < CHANGES_AT_ONCE) return;
      after = end;
      await pause();
    }
  }
}

/** The values that a change makes unneeded: its `before`, and the previous `after` of the entity, unless a named revision shows them. */
function unneeded(changes: readonly FollowingChange[], named: readonly number[]): EmptiedValue[] {
  return changes.flatMap(({ revision, position, kind, key, previous }) => {
    const isNamedSince = (from: number) => named.some((one) => one >= from && one < revision);
    return [
      ...(named.includes(revision) ? [] : [{ before: { revision, position } }]),
      ...(previous === undefined || isNamedSince(previous) ? [] : [{ after: { kind, key, revision: previous } }]),
    ];
  });
}

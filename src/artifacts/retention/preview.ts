// The artifacts that would be deleted now: first by rules, then by disk space, as it would be done, a page at a time.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { PurgeableRun } from '../../store/artifacts/purgeable-runs.ts';
import { hasRoomEnough, isSet, isToStart, reasonOfSpace } from './disk-space.ts';
import { mayBePurged, type RetentionFacts, RuleDecisions } from './facts.ts';

/** Where a page begins: in the list of which cause, after which job, and the bytes that the pages before it would free. */
export interface PreviewCursor {
  readonly by: 'rules' | 'space';
  readonly job: number;
  readonly freed: number;
}

export const FIRST_PAGE: PreviewCursor = { by: 'rules', job: 0, freed: 0 };

export interface PurgeCandidate {
  readonly run: PurgeableRun;
  readonly by: 'rules' | 'space';
  readonly reason: string;
  readonly files: number;
  readonly bytes: number;
}

export interface PurgePreview {
  readonly items: readonly PurgeCandidate[];
  /** The free space as it is, or as it was asked for. */
  readonly free: number | undefined;
  /** Deleting by disk space is set. */
  readonly isSet: boolean;
  /** The disk would still be too low after the deletions by rules. null: not known before the pages before the last of rules are read. */
  readonly isLow: boolean | null;
  /** There would be room enough in the end; null: a later page knows. */
  readonly isEnough: boolean | null;
  readonly next: PreviewCursor | undefined;
}

/** A page looks at no more jobs than that, even if few of them would go. */
const MAX_CHECKED = 2000;
const BATCH = 100;

export async function previewPurge(
  facts: RetentionFacts,
  { from = FIRST_PAGE, limit, free: asked }: { readonly from?: PreviewCursor; readonly limit: number; readonly free?: number | undefined },
): Promise<PurgePreview> {
  const free = asked ?? (await facts.free());
  const page = new Page(facts, free, limit);
  let cursor: PreviewCursor | undefined = from;
  if (cursor.by === 'rules') cursor = facts.rules().length > 0 ? await page.byRules(cursor) : { ...cursor, by: 'space', job: 0 };
  // The first line of the second list decides whether there is one, so it needs all that the first one frees.
  if (cursor?.by === 'space' && !page.isFull) cursor = await page.bySpace(cursor);
  return { items: page.items, free, isSet: isSet(facts.settings()), isLow: page.isLow, isEnough: page.isEnough, next: cursor };
}

class Page {
  readonly items: PurgeCandidate[] = [];
  isLow: boolean | null = null;
  isEnough: boolean | null = null;
  readonly #facts: RetentionFacts;
  readonly #free: number | undefined;
  readonly #limit: number;
  readonly #decisions: RuleDecisions;
  #checked = 0;

  constructor(facts: RetentionFacts, free: number | undefined, limit: number) {
    this.#facts = facts;
    this.#free = free;
    this.#limit = limit;
    this.#decisions = new RuleDecisions(facts);
  }

  get isFull(): boolean {
    return this.items.length >= this.#limit || this.#checked >= MAX_CHECKED;
  }

  async byRules(from: PreviewCursor): Promise<PreviewCursor> {
    let { job, freed } = from;
    while (!this.isFull) {
      const { runs, next } = await this.#batch(job);
      for (const run of runs) {
        const reason = await this.#decisions.reason(run);
        if (reason !== undefined) freed += await this.#add(run, 'rules', reason);
      }
      if (next === undefined) return { by: 'space', job: 0, freed };
      job = next;
    }
    return { by: 'rules', job, freed };
  }

  /** Undefined: it is the end of the list. */
  async bySpace(from: PreviewCursor): Promise<PreviewCursor | undefined> {
    const settings = this.#facts.settings();
    const reason = reasonOfSpace(settings);
    let { job, freed } = from;
    const freeThen = () => (this.#free === undefined ? undefined : this.#free + freed);
    // On later pages it has begun: it ends only above the other limit.
    this.isLow = job > 0 ? true : isToStart(settings, freeThen());
    if (!this.isLow) {
      this.isEnough = true;
      return undefined;
    }
    while (!this.isFull) {
      const { runs, next } = await this.#batch(job);
      for (const run of runs) {
        if (!mayBePurged(this.#facts, run) || (await this.#decisions.reason(run)) !== undefined) continue;
        freed += await this.#add(run, 'space', reason);
        if (!hasRoomEnough(settings, freeThen())) continue;
        this.isEnough = true;
        return undefined;
      }
      if (next === undefined) {
        this.isEnough = false;
        return undefined;
      }
      job = next;
    }
    return { by: 'space', job, freed };
  }

  /** As many as still fit on the page: it ends where a batch does. */
  async #batch(job: number) {
    await pause();
    const limit = Math.min(BATCH, this.#limit - this.items.length);
    this.#checked += limit;
    return this.#facts.runs.after(job, limit);
  }

  async #add(run: PurgeableRun, by: PurgeCandidate['by'], reason: string): Promise<number> {
    const size = await this.#facts.runs.sizeOf(run.id);
    await pause();
    this.items.push({ run, by, reason, ...size });
    return size.bytes;
  }
}

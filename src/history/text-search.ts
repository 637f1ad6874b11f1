// Finds revisions by a text: in their reason, author and names, in the names of the changed entities, and in the changed values.
import { pause } from '../kit/concurrency/time-slices.ts';
import type { Json } from '../shape/json/json.ts';
import type { Kind } from '../shape/resource.ts';
import type { LoggedChange, LoggedRevision, RevisionFilter, RevisionLog, RevisionPage } from '../store/revisions/revision-log.ts';
import { SECRET } from './difference/secrets.ts';
import { differenceOf } from './logged-change.ts';

interface Search {
  readonly text: string;
  readonly filter: RevisionFilter;
  /** Only those before this revision. */
  readonly before: number;
  readonly size: number;
}

interface Parts {
  readonly log: Pick<RevisionLog, 'page' | 'having' | 'changes'>;
  readonly kinds: ReadonlyMap<string, Kind>;
}

const REVISIONS_AT_ONCE = 100;
const CHANGES_AT_ONCE = 50;
/** Limits of a page; the next one goes on from there. They also bound the values of one revision that are searched. */
export const MAX_SEARCHED = { revisions: 2000, changes: 2000, characters: 20_000_000 };

export async function searchText({ text, filter, before, size }: Search, { log, kinds }: Parts): Promise<RevisionPage> {
  const found: LoggedRevision[] = [];
  const values = new ValueSearch(text, kinds, log);
  let next = before;
  for (let searched = 0; searched < MAX_SEARCHED.revisions; searched += REVISIONS_AT_ONCE) {
    const page = await log.page(filter, next, REVISIONS_AT_ONCE);
    const having = await log.having(
      text,
      page.revisions.map(({ revision }) => revision),
    );
    for (const one of page.revisions) {
      if (found.length === size) return { revisions: found, next };
      const isFound = having.has(one.revision) || (await values.hasText(one.revision));
      // The next page begins with it, and has more patience.
      if (isFound === undefined) return { revisions: found, next };
      if (isFound) found.push(one);
      next = one.revision;
      await pause();
    }
    if (page.next === undefined) return { revisions: found, next: undefined };
    next = page.next;
    // A short page: the filters leave few of many revisions.
    if (page.revisions.length < REVISIONS_AT_ONCE) break;
  }
  return { revisions: found, next };
}

/** Searches only the values that a difference shows: no secret is found by its cipher text, or by anything else that is stored of it. */
class ValueSearch {
  readonly #part: string;
  /** The text as it would stand in a stored value. */
  readonly #storedPart: string;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #log: Pick<RevisionLog, 'changes'>;
  #changes = 0;
  #characters = 0;

  constructor(text: string, kinds: ReadonlyMap<string, Kind>, log: Pick<RevisionLog, 'changes'>) {
    this.#part = text.toLowerCase();
    this.#storedPart = JSON.stringify(text).slice(1, -1).toLowerCase();
    this.#kinds = kinds;
    this.#log = log;
  }

  /** Whether a revision has the text; undefined: the limits leave no room to search all of it. */
  async hasText(revision: number): Promise<boolean | undefined> {
    const isFirst = this.#changes === 0;
    for (let from = 0; !this.#isExhausted; from += CHANGES_AT_ONCE) {
      const changes = await this.#log.changes(revision, from, CHANGES_AT_ONCE);
      for (const change of changes) {
        if (await this.#hasTextInChange(change)) return true;
        await pause();
      }
      if (changes.length < CHANGES_AT_ONCE) return false;
    }
    return isFirst ? false : undefined;
  }

  get #isExhausted(): boolean {
    return this.#changes >= MAX_SEARCHED.changes || this.#characters >= MAX_SEARCHED.characters;
  }

  async #hasTextInChange(change: LoggedChange): Promise<boolean> {
    const stored = [change.before ?? '', change.after ?? ''];
    this.#changes++;
    this.#characters += stored[0]!.length + stored[1]!.length;
    // Most have it nowhere: those need not be compared.
    if (!stored.some((value) => value.toLowerCase().includes(this.#storedPart))) return false;
    const kind = this.#kinds.get(change.kind);
    const changes = (kind && (await differenceOf(kind, change))?.changes) ?? [];
    return changes.some(({ before, after }) => [before, after].some((value) => value !== undefined && this.#isShownIn(value)));
  }

  #isShownIn(value: Json): boolean {
    if (typeof value === 'object') return value !== null && Object.values(value).some((one: Json) => this.#isShownIn(one));
    return value !== SECRET && String(value).toLowerCase().includes(this.#part);
  }
}

// The changes of one entity, newest first. Each page of the change log is read in one piece, so pages of large values are short.
import { pause } from '../kit/concurrency/time-slices.ts';
import type { Kind } from '../shape/resource.ts';
import type { EntityChange, RevisionLog } from '../store/revisions/revision-log.ts';

const MAX_PAGE_SIZE = 50;
/** Number of characters to read at a time, if the next changes are as long as the last ones. */
const PAGE_CHARACTERS = 1_000_000;
/** The first page is short, as nothing is known of its values. */
const GROWTH = 4;

/** The changes of an entity before a revision. Pauses after each: to compare its values takes time. */
export async function* changesBefore(
  log: Pick<RevisionLog, 'changesOf'>,
  { name }: Pick<Kind, 'name'>,
  key: string,
  end: number,
): AsyncGenerator<EntityChange> {
  let [before, size] = [end, 1];
  for (;;) {
    const page = await log.changesOf(name, key, before, size);
    for (const change of page) {
      yield change;
      await pause();
    }
    if (page.length < size) return;
    before = page.at(-1)!.revision;
    const longest = Math.max(1, ...page.map((change) => (change.before?.length ?? 0) + (change.after?.length ?? 0)));
    size = Math.max(1, Math.min(MAX_PAGE_SIZE, GROWTH * size, Math.floor(PAGE_CHARACTERS / longest)));
  }
}

// Puts a configuration file into effect, as one change: all of it or nothing.
import type { Author, Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import { Unacceptable } from '../../config/large-change.ts';
import { decide, type Wish } from './decide.ts';
import { changesAnything, type Plan } from './plan.ts';
import type { ReadingParts } from './read-wanted.ts';
import { asProblemsOf, FileRefused } from './refused.ts';

export interface SaveParts extends ReadingParts {
  readonly config: Config;
  readonly changes: Changes;
}

export interface Saved {
  readonly plan: Plan;
  /** Absent when nothing was to be changed. */
  readonly revision: number | undefined;
}

/** Throws `FileRefused` with all that is wrong, and `Collided` with what others have changed, too. */
export async function saveFile(wish: Wish, author: Author, { dryRun }: { readonly dryRun: boolean }, parts: SaveParts): Promise<Saved> {
  if (wish.file.problems.length > 0) throw new FileRefused(wish.file.problems);
  // It is one of our own documents.
  if (wish.base && wish.base.problems.length > 0)
    throw new Error(`A document of this server cannot be read: ${wish.base.problems[0]!.message}`);
  try {
    return await parts.changes.applyLarge(
      author,
      async (draft, pause) => {
        const plan = await decide(draft, wish, parts, pause);
        return { plan, revision: changesAnything(plan) ? draft.revision : undefined };
      },
      { dryRun },
    );
  } catch (failure) {
    if (failure instanceof Unacceptable) throw new FileRefused(await asProblemsOf(wish.file, failure, parts.config.kinds));
    throw failure;
  }
}

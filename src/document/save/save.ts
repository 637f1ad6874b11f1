// Puts a configuration file into effect, as one change: all of it or nothing.
import type { Changes } from '../../config/change.ts';
import type { Finding } from '../../config/check-all.ts';
import type { Config } from '../../config/current.ts';
import type { Draft } from '../../config/draft.ts';
import { InvalidChange } from '../../config/large-change.ts';
import type { Author } from '../../config/revision.ts';
import { SaveCollision } from './collision.ts';
import { decide, type SaveRequest } from './decide.ts';
import { type CheckedPlan, changesAnything } from './plan.ts';
import type { ReadingParts } from './read-wanted.ts';
import { asProblemsOf, FileRefused, warningsOf } from './refused.ts';

export interface SaveParts extends ReadingParts {
  readonly config: Config;
  readonly changes: Changes;
}

export interface SaveResult {
  readonly plan: CheckedPlan;
  /** Absent when nothing was to be changed. */
  readonly revision: number | undefined;
  /** The changes that were made, or would be. */
  readonly draft: Draft;
}

/** Throws `FileRefused` with all problems, and `SaveCollision` with the entities that others have changed, too. */
export async function saveFile(
  request: SaveRequest,
  author: Author,
  { dryRun }: { readonly dryRun: boolean },
  parts: SaveParts,
): Promise<SaveResult> {
  const { problems, entities } = request.file;
  const isWhole = problems.length === 0;
  if (!isWhole && entities.length === 0) throw new FileRefused(problems);
  // It is one of our own documents, though an older one may hold entities that would be refused now.
  if (request.base?.entities.length === 0)
    throw new Error(`A document of this server cannot be read: ${request.base.problems[0]?.message}`);
  const pluginFindings: Finding[] = [];
  try {
    const saved = await parts.changes.applyLarge(
      author,
      async (draft, pause) => {
        const plan = await decide(draft, request, parts, pause);
        return { plan, draft, revision: changesAnything(plan) ? draft.revision : undefined };
      },
      // The rest of a file that is not well formed is only checked, to return all problems at once.
      // No server asks plugins about a file it loads: their problems are only warnings.
      { dryRun: dryRun || !isWhole, onPluginProblems: (found) => pluginFindings.push(...found) },
    );
    if (isWhole) return { ...saved, plan: { ...saved.plan, warnings: await warningsOf(request.file, pluginFindings, parts.config.kinds) } };
  } catch (failure) {
    if (failure instanceof InvalidChange) {
      throw new FileRefused(await asProblemsOf(request.file, failure, parts.config.kinds), failure.findings);
    }
    if (isWhole || !(failure instanceof SaveCollision)) throw failure;
  }
  throw new FileRefused(problems);
}

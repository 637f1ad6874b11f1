// Records in the history that a repository can be reached again, when it has no new revision: the known state counts again.
import type { ConfigRepoParses } from '../../store/config-repos/parses.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import type { Database } from '../../store/database.ts';

interface Parts {
  readonly database: Pick<Database, 'writeTransaction'>;
  readonly parses: Pick<ConfigRepoParses, 'page' | 'add'>;
}

/** The number of attempts that the history keeps. */
const MAX_ATTEMPTS = 100;

/** Repeats the last attempt with the known revision: else the newest entry would go on saying that the repository cannot be reached. */
export async function recordRecovery({ repo, revision, outcome }: RepoState, { database, parses }: Parts): Promise<void> {
  const attempts = await parses.page(repo, MAX_ATTEMPTS);
  const isOutOfReach = attempts[0]?.revision === '';
  const last = attempts.find((attempt) => attempt.revision === revision && attempt.outcome === outcome);
  if (!isOutOfReach || !last) return;
  const { id: _, ...same } = last;
  await database.writeTransaction(parses.add(repo, { ...same, at: new Date(), parsed: 0, durationMs: 0 }));
}

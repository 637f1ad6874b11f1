// Joins the history of the configuration to the server.
import type { Config } from '../../config/current.ts';
import { Past } from '../../history/past.ts';
import { Retention } from '../../history/retention.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';
import { Compaction } from '../../store/revisions/compaction.ts';
import { PastEntities } from '../../store/revisions/past-entities.ts';
import { RevisionLog } from '../../store/revisions/revision-log.ts';
import { RevisionNames } from '../../store/revisions/revision-names.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';

export interface OpenHistory {
  readonly past: Past;
  readonly log: RevisionLog;
  readonly names: RevisionNames;
  readonly retention: Retention;
}

interface Parts {
  readonly database: Database;
  readonly cachedTables: CachedTables;
  /** Writes together with the events that report it. */
  readonly write: CommitWithEvents;
  readonly config: Config;
  readonly runner: PeriodicRunner;
  /** How many days of it are kept; 0: all. */
  readonly days: number;
}

const COMPACTION_MS = 60 * 60_000;
const FIRST_COMPACTION_MS = 60_000;

export async function openHistory({ database, cachedTables, write, config, runner, days }: Parts): Promise<OpenHistory> {
  const log = new RevisionLog(database.query);
  const names = new RevisionNames(database, write);
  const retention = await Retention.load({ compaction: new Compaction(database), names, log });
  cachedTables.add('compaction', () => retention.reload());
  const past = new Past({ config, entities: new PastEntities(database.query), log, retention });
  if (days > 0) {
    runner.add({
      name: 'old history',
      when: { every: COMPACTION_MS, firstAfter: FIRST_COMPACTION_MS },
      run: (signal) => retention.compact(days, Date.now(), signal),
    });
  }
  return { past, log, names, retention };
}

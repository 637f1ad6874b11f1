// Brings the writes of other servers to the memory of this one.
import type { Changes } from '../../config/change.ts';
import { loadConfig } from '../../config/current.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Kind } from '../../shape/resource.ts';
import { CachedTables } from '../../store/cached-tables.ts';
import type { Database } from '../../store/database.ts';

interface Parts {
  readonly database: Database;
  readonly kinds: readonly Kind[];
  readonly changes: Changes;
  readonly events: EventLog;
}

/** Every part that keeps a table in memory adds itself to the result. */
export function followOthers({ database, kinds, changes, events }: Parts): CachedTables {
  const tables = new CachedTables();
  const { shared } = database;
  shared?.onRemoteWrites({
    follow: async (writes) => {
      changes.follow(writes.revisions);
      await tables.reload(writes.touched);
      events.follow(writes.events);
    },
    reload: async () => {
      const loaded = await shared.loadFirst((query) => loadConfig(kinds, query));
      changes.replaceAll(loaded);
      await tables.reloadAll();
      await events.reload();
    },
  });
  return tables;
}

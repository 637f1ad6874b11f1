// Splits a row of the statement that joins an entity with the last entry of the change log about it.
import type { LastLogged, StateRow, StoredEntity } from './readers/state-rows.ts';

/** A side that is not there has only nulls. */
export type JoinedState = { readonly [K in keyof LastLogged as `logged_${K}`]: LastLogged[K] | null } & {
  readonly [K in keyof StoredEntity as `stored_${K}`]: StoredEntity[K] | null;
};

/** Of the tables `logged` and `stored`. */
export const JOINED_COLUMNS = `logged.revision as logged_revision, logged.operation as logged_operation, logged.after as logged_after, logged.created as logged_created,
    stored.revision as stored_revision, stored.etag as stored_etag, stored.value as stored_value, stored.created as stored_created`;

export function splitJoinedRow(row: JoinedState): Pick<StateRow, 'logged' | 'stored'> {
  return {
    logged:
      row.logged_revision === null
        ? undefined
        : { revision: row.logged_revision, operation: row.logged_operation!, after: row.logged_after, created: row.logged_created! },
    stored:
      row.stored_revision === null
        ? undefined
        : { revision: row.stored_revision, etag: row.stored_etag!, value: row.stored_value!, created: row.stored_created! },
  };
}

// The messages for requests and work that fail because the database does not answer, or takes no writes.

export const DATABASE_UNAVAILABLE = 'The database cannot be reached, so nothing was changed. Try again in a moment.';
export const DATABASE_READ_ONLY = 'The database is read-only at present, so nothing was changed. Try again in a moment.';
/** How the message of a lost connection begins. */
export const CONNECTION_LOST = 'The connection to the database was lost: ';

/** Whether it failed for no other reason. By the messages: a failure that comes from another thread has lost its class. */
export function isDatabaseOutage(failure: unknown): boolean {
  for (let one = failure; one instanceof Error; one = one.cause) {
    if (one.message === DATABASE_UNAVAILABLE || one.message === DATABASE_READ_ONLY || one.message.startsWith(CONNECTION_LOST)) return true;
  }
  return false;
}

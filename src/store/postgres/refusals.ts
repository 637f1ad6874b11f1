// Failures of the database, as callers are to see them.
import { Refusal } from '../../kit/refusal.ts';
import { DATABASE_READ_ONLY, DATABASE_UNAVAILABLE } from '../unavailable.ts';
import { ConnectionLost, READ_ONLY } from './connection.ts';

const RETRY_SECONDS = 1;

/** The code of a statement for which the disk has no room. */
export const FULL_DISK = '53100';
const NUL_IN_TEXT = '22021';

/** SQLSTATE classes and codes by which a server says that it cannot serve now: nothing was done. */
const NOT_NOW = /^(?:08|28|3D|57P0[1-5]|53[234]00|25P03|55P03|40001|40P01)/;

const NO_ROOM = 'The disk of the database is full, so nothing was written. Reading still works. Try again when there is more space.';
const NUL = 'A text contains the character U+0000, which cannot be kept. Remove it.';

/** The database could not be reached, or did not answer. The request was not done. */
export class DatabaseUnavailable extends Refusal {
  constructor(cause?: unknown, message = DATABASE_UNAVAILABLE) {
    super('unavailable', message, { retryAfter: RETRY_SECONDS });
    this.cause = cause;
  }
}

/** The refusal that tells callers why a statement was not committed; any other failure as it is. */
export function toRefusal(failure: unknown): unknown {
  if (failure instanceof Refusal) return failure;
  const code = codeOf(failure);
  if (code === FULL_DISK) return Object.assign(new Refusal('insufficientStorage', NO_ROOM), { cause: failure });
  if (code === NUL_IN_TEXT) return new Refusal('invalid', NUL);
  if (code === READ_ONLY) return new DatabaseUnavailable(failure, DATABASE_READ_ONLY);
  if (isLostConnection(failure)) return new DatabaseUnavailable(failure);
  return failure;
}

/** Whether it says nothing of the statement, only that the database cannot answer now. */
export function isLostConnection(failure: unknown): boolean {
  if (failure instanceof ConnectionLost) return true;
  const code = codeOf(failure);
  return typeof code === 'string' && NOT_NOW.test(code);
}

/** Of PostgreSQL or of Node. */
export function codeOf(failure: unknown): unknown {
  return (failure as { readonly code?: unknown } | null | undefined)?.code;
}

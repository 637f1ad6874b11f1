// Distinguishes a write that found no room on the disk from other failures: nothing of it was done, and the client learns why.
import { Refusal } from '../../kit/refusal.ts';

export const NO_ROOM = 'The disk of the server is full, so nothing was written. Reading still works. Try again when there is more space.';

const SQLITE_FULL = 13;
const SQLITE_IOERR_SHMSIZE = 4874;

/** The refusal that reports a full disk to callers; any other failure as it is. */
export function toRefusal(failure: unknown): unknown {
  const { errcode } = (failure ?? {}) as { readonly errcode?: number };
  return errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE ? new Refusal('insufficientStorage', NO_ROOM) : failure;
}

/** Runs something that writes. */
export function explainingFullDisk<T>(write: () => T): T {
  try {
    return write();
  } catch (failure) {
    throw toRefusal(failure);
  }
}

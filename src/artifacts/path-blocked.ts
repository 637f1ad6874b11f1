// The refusal of an upload whose files cannot be kept, because something else lies at their path.
import { UnexpectedFileType } from '../kit/files/without-links.ts';
import { Refusal } from '../kit/refusal.ts';

/** Only a user with access to the disk can have put it there, so the message need not state where the folder is. */
export const PATH_BLOCKED =
  'Something is in the way in the artifacts directory of the server, such as a link: the files of this job cannot be kept there until it is removed.';
const CODES: ReadonlySet<unknown> = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']);

/** undefined: it failed for another reason. */
export function pathBlocked(failure: unknown): Refusal | undefined {
  const isBlocked = failure instanceof UnexpectedFileType || CODES.has((failure as NodeJS.ErrnoException).code);
  return isBlocked ? new Refusal('conflict', PATH_BLOCKED) : undefined;
}

// What somebody is told whose files cannot be kept, because something else lies where they would.
import { AnotherKind } from '../kit/files/without-links.ts';
import { Refusal } from '../kit/refusal.ts';

/** Only somebody with access to the disk can have put it there, so it is not said where the folder is. */
export const IN_THE_WAY =
  'Something is in the way in the artifacts directory of the server, such as a link: the files of this job cannot be kept there until it is removed.';
const CODES: ReadonlySet<unknown> = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP']);

/** undefined: it failed for another reason. */
export function inTheWay(failure: unknown): Refusal | undefined {
  const isSo = failure instanceof AnotherKind || CODES.has((failure as NodeJS.ErrnoException).code);
  return isSo ? new Refusal('conflict', IN_THE_WAY) : undefined;
}

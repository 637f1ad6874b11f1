// A revision of the configuration: the edits made in one change, and its author.
import type { RevisionRow } from '../store/rows/configuration.ts';
import type { Edit } from './edit.ts';

export interface Author {
  readonly actor: string;
  readonly token: number | null;
  readonly address: string | null;
  readonly reason: string | null;
  /** The authorization configuration through which the author is logged in; absent: not logged in. It is not part of the revision. */
  readonly authConfigId?: string;
  /** Their access token lets them do less than they may. It is not part of the revision. */
  readonly isLimited?: boolean;
}

export interface Revision extends Readonly<RevisionRow> {
  readonly edits: readonly Edit[];
}

/** Of a change that others came along with: their reason stands after that of its author. */
export function reasonOf({ reason }: Author, ofOthers: string | null): string | null {
  return reason && ofOthers ? `${reason} (${ofOthers})` : (reason ?? ofOthers);
}

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
  /** Whether the access token of the author grants less than the author may do. It is not part of the revision. */
  readonly isLimited?: boolean;
}

export interface Revision extends Readonly<RevisionRow> {
  readonly edits: readonly Edit[];
}

/** The reason of a change that others were joined to: their reason stands after that of its author. */
export function reasonOf({ reason }: Author, ofOthers: string | null): string | null {
  return reason && ofOthers ? `${reason} (${ofOthers})` : (reason ?? ofOthers);
}

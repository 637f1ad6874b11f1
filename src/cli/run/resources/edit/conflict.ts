// Another user has changed the same entity while it was edited: the changes of both users, and where they overlap, in words.
import { isObject, type JsonObject } from '../../../../shape/json/json.ts';
import { shownText } from '../../../output/shown-text.ts';

interface Conflict {
  readonly changes?: readonly {
    readonly revision: number;
    readonly time: string;
    readonly actor: string;
    readonly reason: string | null;
  }[];
  readonly yours?: readonly { readonly words: string }[];
  readonly theirs?: readonly { readonly words: string }[];
  readonly overlaps?: readonly { readonly path: string }[];
  readonly can_be_merged?: boolean;
}

export interface ConflictText {
  readonly lines: readonly string[];
  /** Whether no other user changed the same fields. */
  readonly canBeMerged: boolean;
}

/** Of an answer with status 412. */
export function conflictIn({ message, data }: JsonObject): ConflictText {
  const { changes = [], yours = [], theirs = [], overlaps = [], can_be_merged: canBeMerged = false }: Conflict = isObject(data) ? data : {};
  const authors = changes.map(
    ({ revision, time, actor, reason }) => `  revision ${revision}, ${time}, ${actor}${reason === null ? '' : `: ${reason}`}`,
  );
  const lines = [
    `Another user has changed it meanwhile. ${String(message)}`,
    ...authors,
    ...part('Theirs:', theirs),
    ...part('Yours:', yours),
    ...(overlaps.length > 0 ? [`Both have changed: ${overlaps.map(({ path }) => path).join(', ')}`] : []),
  ];
  return { lines: lines.map(shownText), canBeMerged };
}

function part(title: string, differences: readonly { readonly words: string }[]): readonly string[] {
  return differences.length === 0 ? [] : [title, ...differences.map(({ words }) => `  ${words}`)];
}

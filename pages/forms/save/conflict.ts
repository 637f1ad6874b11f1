// Another user has changed the same entity since it was opened: their changes, and the fields that both have changed.
import type { FieldDifference } from '../../api/change-answers.ts';
import { isObject, isSame, type Json } from '../../api/json.ts';
import { valueText } from './value-text.ts';

export interface ChangeSince {
  readonly revision: number;
  readonly time: string;
  readonly actor: string;
  readonly reason: string | null;
}

export interface Overlap {
  readonly path: string;
  readonly base?: Json;
  readonly yours?: Json;
  readonly theirs?: Json;
}

export interface Conflict {
  /** null: the server does not know the version that was opened. */
  readonly base: { readonly revision: number } | null;
  readonly changes: readonly ChangeSince[];
  readonly yours: readonly FieldDifference[];
  readonly theirs?: readonly FieldDifference[];
  readonly overlaps?: readonly Overlap[];
  readonly can_be_merged?: boolean;
}

/** The details in a refusal with status 412; undefined: it has none. */
export function conflictIn(answer: Json | undefined): Conflict | undefined {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data) || !Array.isArray(data.yours)) return undefined;
  return { base: null, changes: [], ...(data as object), yours: data.yours as unknown as Conflict['yours'] };
}

/** The side that has made a change. `same`: both, the same; `merged`: both, others that fit together; `both`: others that do not. */
export type ChangedBy = 'mine' | 'theirs' | 'same' | 'merged' | 'both';

export interface Side {
  readonly field: string;
  readonly base: string;
  readonly yours: string;
  readonly theirs: string;
  readonly changedBy: ChangedBy;
}

type Change = Pick<FieldDifference, 'before' | 'after'>;

/** Every field that either user changed: its original value, the value in this form, and the saved value. */
export function sidesOf({ yours, theirs = [], overlaps = [], can_be_merged: canBeMerged }: Conflict): Side[] {
  // A member of a list has a name, and can have another place in each version.
  const rows = Map.groupBy([...yours, ...theirs], ({ field, path }) => field ?? path);
  return [...rows].map(([field, changes]) => {
    const [mine, other] = [changeIn(changes, yours), changeIn(changes, theirs)];
    const base = mine?.before ?? other?.before;
    const isOverlap = changes.some(({ path }) => overlaps.some((one) => one.path === path || path.startsWith(`${one.path}/`)));
    return {
      field: changes[0]?.field ?? pathText(field),
      base: valueText(base),
      yours: sideText(mine, base),
      theirs: sideText(other, base),
      changedBy: isOverlap ? 'both' : changedBy(mine, other, canBeMerged === true),
    };
  });
}

function changedBy(mine: Change | undefined, other: Change | undefined, canBeMerged: boolean): ChangedBy {
  if (mine === undefined) return 'theirs';
  if (other === undefined) return 'mine';
  if (isSame(mine.after, other.after)) return 'same';
  return canBeMerged ? 'merged' : 'both';
}

/** An item of a list that is replaced is two changes: one is removed, and another is added in its place. */
function changeIn(changes: readonly FieldDifference[], side: readonly FieldDifference[]): Change | undefined {
  const there = changes.filter((one) => side.includes(one));
  if (there.length < 2) return there[0];
  const [removed, added] = [there.find(({ before }) => before !== undefined), there.find(({ after }) => after !== undefined)];
  return { ...(removed && { before: removed.before }), ...(added && { after: added.after }) };
}

function sideText(change: Change | undefined, base: Json | undefined): string {
  if (change === undefined) return valueText(base);
  return change.after === undefined && base !== undefined ? 'removed' : valueText(change.after);
}

/** `/rules/0/resource`: rules 1 resource. */
export function pathText(path: string): string {
  const steps = path.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step.replaceAll('_', ' '))).join(' › ') || 'all of it';
}

// Another user has changed the same entity since it was opened: their changes, and the fields that both have changed.
import type { FieldDifference } from '../../api/change-answers.ts';
import { isObject, type Json } from '../../api/json.ts';

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

export interface Side {
  readonly path: string;
  readonly base: string;
  readonly yours: string;
  readonly theirs: string;
  readonly isOverlap: boolean;
}

/** Every field that either user changed: its original value, the value in this form, and the saved value. */
export function sidesOf({ yours, theirs = [], overlaps = [] }: Conflict): Side[] {
  const paths = [...new Set([...yours, ...theirs].map(({ path }) => path))];
  return paths.map((path) => {
    const [mine, other] = [changeAt(path, yours), changeAt(path, theirs)];
    const base = mine?.before ?? other?.before;
    return {
      path,
      base: displayText(base),
      yours: mine === undefined ? displayText(base) : displayText(mine.after),
      theirs: other === undefined ? displayText(base) : displayText(other.after),
      isOverlap: overlaps.some((one) => one.path === path || path.startsWith(`${one.path}/`)),
    };
  });
}

/** An item of a list that is replaced is two changes: one is removed, and another is added in its place. */
function changeAt(path: string, changes: readonly FieldDifference[]): Pick<FieldDifference, 'before' | 'after'> | undefined {
  const there = changes.filter((one) => one.path === path);
  if (there.length < 2) return there[0];
  const [removed, added] = [there.find(({ before }) => before !== undefined), there.find(({ after }) => after !== undefined)];
  return { ...(removed && { before: removed.before }), ...(added && { after: added.after }) };
}

function displayText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

/** `/rules/0/resource`: rules 1 resource. */
export function pathText(path: string): string {
  const steps = path.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step.replaceAll('_', ' '))).join(' › ') || 'all of it';
}

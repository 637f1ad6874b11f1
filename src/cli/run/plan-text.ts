// The changes that a plan would make, or has made, in plain words.
import { type Leaf, leavesOf } from '../../history/trace.ts';
import { isObject, type Json } from '../../shape/json/json.ts';
import { shownText } from '../output/shown-text.ts';
import type { Paint } from '../terminal/context.ts';

export interface PlannedChange {
  readonly resource: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly differences: readonly { readonly words: string; readonly after?: Json }[];
}

export interface PlanAnswer {
  /** null: there is nothing to do. */
  readonly id: string | null;
  readonly changes: readonly PlannedChange[];
  /** Entities that refer to a changed one. */
  readonly affected: readonly { readonly resource: string; readonly id: string }[];
  /** Parts of a file that are not taken over. */
  readonly ignored: readonly { readonly what: string; readonly why: string }[];
  /** Parts of a file that are taken over although a plugin does not accept their settings. */
  readonly warnings?: readonly { readonly path: string; readonly message: string }[];
}

export interface PlanError {
  readonly resource: string | null;
  readonly id: string | null;
  readonly path: string;
  readonly message: string;
}

/** More would not help the reader. */
const MAX_DETAILS = 100;
const SIGNS = { create: ['+', 'green'], update: ['~', 'yellow'], delete: ['-', 'red'] } as const;

export function planText({ changes, affected, ignored, warnings = [] }: Omit<PlanAnswer, 'id'>, paint: Paint): string {
  const left = [
    ...ignored.map(({ what, why }) => `Ignored: ${what}. ${why}`),
    ...warnings.map(({ path, message }) => `Warning: ${path}: ${message}`),
  ].map(shownText);
  if (changes.length === 0) return ['Nothing to do: all is as it is wanted.', ...left, ''].join('\n');
  const lines = changes.flatMap((change) => {
    const [sign, colour] = SIGNS[change.operation];
    return [paint(colour, `${sign} ${nameOf(change.resource, change.id)}`), ...indented(detailsOf(change))];
  });
  const touched = affected.slice(0, MAX_DETAILS).map(({ resource, id }) => nameOf(resource, id));
  const more = affected.length > MAX_DETAILS ? ` and ${affected.length - MAX_DETAILS} more` : '';
  const users = touched.length > 0 ? [`Used by: ${touched.join(', ')}${more}`] : [];
  const count = (wanted: PlannedChange['operation']) => changes.filter(({ operation }) => operation === wanted).length;
  const sum = `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete.`;
  return [...lines, ...users, ...left, paint('bold', sum), ''].join('\n');
}

/** A created entity is shown field by field; for a deleted one the heading is enough. */
function detailsOf({ operation, differences }: PlannedChange): string[] {
  if (operation === 'delete') return [];
  if (operation === 'update') return differences.map(({ words }) => words);
  const created = differences[0]?.after;
  return isObject(created) ? [...leavesOf(created)].filter(hasContent).map(fieldText) : [];
}

function hasContent({ value }: Leaf): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function fieldText({ fieldPath, value }: Leaf): string {
  return `${fieldPath.join(', ')}: ${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}`;
}

function indented(details: readonly string[]): string[] {
  const more = details.length > MAX_DETAILS ? [`and ${details.length - MAX_DETAILS} more`] : [];
  return [...details.slice(0, MAX_DETAILS), ...more].map((text) => `    ${shownText(text).replaceAll('\n', '\n    ')}`);
}

export function errorsText(message: string, errors: readonly PlanError[], paint: Paint): string {
  const lines = errors.map(({ resource, id, path, message: text }) => {
    const prefix = [resource === null ? '' : nameOf(resource, id ?? ''), path].filter((part) => part !== '').join(' ');
    return shownText(`  ${prefix === '' ? '' : `${prefix}: `}${text}`);
  });
  return [paint('red', shownText(message)), ...lines, ''].join('\n');
}

function nameOf(resource: string, id: string): string {
  return shownText(id === '' ? resource : `${resource} ${id}`);
}

// What a plan would do, or did, in plain words.
import type { Paint } from './import-text.ts';

export interface PlannedChange {
  readonly resource: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
  readonly differences: readonly { readonly words: string }[];
}

export interface PlanError {
  readonly resource: string | null;
  readonly id: string | null;
  readonly path: string;
  readonly message: string;
}

const SIGNS = { create: ['+', 'green'], update: ['~', 'yellow'], delete: ['-', 'red'] } as const;

export function planText(changes: readonly PlannedChange[], paint: Paint): string {
  if (changes.length === 0) return 'Nothing to do: all is as it is wanted.\n';
  const lines = changes.flatMap(({ resource, id, operation, differences }) => {
    const [sign, colour] = SIGNS[operation];
    // Of what comes or goes as a whole, the heading says it all.
    const words = operation === 'update' ? differences.map((one) => `    ${one.words}`) : [];
    return [paint(colour, `${sign} ${nameOf(resource, id)}`), ...words];
  });
  const count = (wanted: PlannedChange['operation']) => changes.filter(({ operation }) => operation === wanted).length;
  const sum = `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete.`;
  return [...lines, paint('bold', sum), ''].join('\n');
}

export function errorsText(message: string, errors: readonly PlanError[], paint: Paint): string {
  const lines = errors.map(({ resource, id, path, message: text }) => {
    const place = [resource === null ? '' : nameOf(resource, id ?? ''), path].filter((part) => part !== '').join(' ');
    return `  ${place === '' ? '' : `${place}: `}${text}`;
  });
  return [paint('red', message), ...lines, ''].join('\n');
}

function nameOf(resource: string, id: string): string {
  return id === '' ? resource : `${resource} ${id}`;
}

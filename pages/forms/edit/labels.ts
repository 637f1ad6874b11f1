// The path of a field, in the labels of the form. The fields register their labels when they are drawn.
import { labelOf, singularOf } from '../schema/fields.ts';
import type { Path } from './lens.ts';

const labels = new Map<string, string>();
/** Settings of plugins are named by their labels, not by their index. */
const SETTINGS = 'configuration';

export function registerLabel(path: Path, label: string): void {
  for (const key of keysOf(path)) labels.set(key, label);
}

/** `Stage 2 › Job 1 › Name`. Lists count from 1; objects that only group fields have no name in the form. Empty: the whole. */
export function pathText(path: Path): string {
  const steps = path.slice(0, -1).flatMap((step, index) => {
    const next = path[index + 1];
    return typeof step === 'string' && step !== SETTINGS && typeof next === 'number' ? [`${singularOf(labelOf(step))} ${next + 1}`] : [];
  });
  const last = path.at(-1);
  const field = typeof last === 'string' && last !== '' ? [registeredLabel(path) ?? labelOf(last)] : [];
  return [...steps, ...field].join(' › ');
}

function registeredLabel(path: Path): string | undefined {
  return keysOf(path)
    .map((key) => labels.get(key))
    .find((label) => label !== undefined);
}

/** The key of the field itself; else the key of the same field in other items of the list, which mostly has the same label. */
function keysOf(path: Path): readonly string[] {
  return [path.join('.'), path.filter((step) => typeof step === 'string').join('.')];
}

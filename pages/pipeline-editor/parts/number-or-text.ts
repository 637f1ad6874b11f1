// Fields that take a number, a word, or nothing.
import { computed } from '@preact/signals';
import type { FieldLens } from '../../forms/edit/field-lens.ts';
import type { Lens } from '../../forms/edit/lens.ts';

export function numberOrText(lens: Lens<number | string | null>): FieldLens<string> {
  return {
    path: lens.path,
    now: computed(() => (lens.now.value === null ? '' : String(lens.now.value))),
    set: (text) => lens.set(parseNumberOrText(text)),
  };
}

/** `5`: a number; `all`, `#{count}`: a word; nothing: null. */
export function parseNumberOrText(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

// Fields that take a number, a word, or nothing.
import { computed } from '@preact/signals';
import type { FieldPart } from '../../forms/edit/field-part.ts';
import type { Part } from '../../forms/edit/part.ts';

export function numberOrWord(part: Part<number | string | null>): FieldPart<string> {
  return {
    path: part.path,
    now: computed(() => (part.now.value === null ? '' : String(part.now.value))),
    set: (text) => part.set(valueIn(text)),
  };
}

/** `5`: a number; `all`, `#{count}`: a word; nothing: null. */
export function valueIn(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}

// Lists of texts as people type them into one field.
import { computed } from '@preact/signals';
import type { FieldPart } from './field-part.ts';
import type { Part } from './part.ts';

/** One on each line. */
export function linesIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Separated by commas, each once. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

export const asLines = (list: Part<readonly string[]>): FieldPart<string> => typed(list, '\n', linesIn);
export const asNames = (list: Part<readonly string[]>): FieldPart<string> => typed(list, ', ', namesIn);

/** Keeps the text as the user typed it, with a comma at its end or an empty line, as long as it stands for the same list. */
function typed(list: Part<readonly string[]>, separator: string, read: (text: string) => string[]): FieldPart<string> {
  return {
    path: list.path,
    now: computed(() => {
      const items = list.now.value;
      const text = typedTexts.get(items);
      return text ?? items.join(separator);
    }),
    set: (text) => {
      const items = read(text);
      typedTexts.set(items, text);
      list.set(items);
    },
  };
}

const typedTexts = new WeakMap<readonly string[], string>();

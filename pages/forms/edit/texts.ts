// A list of texts that is edited as the text of one field: one item on each line, or names separated by commas.
import { computed } from '@preact/signals';
import { splitNames } from '../../kit/text/text.ts';
import type { FieldLens } from './field-lens.ts';
import type { Lens } from './lens.ts';

function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

export const asLines = (list: Lens<readonly string[]>): FieldLens<string> => asText(list, '\n', splitLines);
export const asNames = (list: Lens<readonly string[]>): FieldLens<string> => asText(list, ', ', splitNames);

/** While the list is unchanged, the field shows what the user typed, also with a comma at the end or an empty line. */
function asText(list: Lens<readonly string[]>, separator: string, split: (text: string) => string[]): FieldLens<string> {
  return {
    path: list.path,
    now: computed(() => {
      const items = list.now.value;
      const text = typedTexts.get(items);
      return text ?? items.join(separator);
    }),
    set: (text) => {
      const items = split(text);
      typedTexts.set(items, text);
      list.set(items);
    },
  };
}

const typedTexts = new WeakMap<readonly string[], string>();

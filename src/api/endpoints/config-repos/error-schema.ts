// How mistakes in the files of config repos are described.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';

const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'] };
const MISTAKE = objectSchema(
  {
    file: { ...MAYBE_TEXT, description: 'null: no single file is to blame.' },
    line: described(MAYBE_COUNT, 'From 1; null: no single line is to blame.'),
    column: described(MAYBE_COUNT, 'From 1.'),
    entity: { ...MAYBE_TEXT, description: 'What is defined there.' },
    message: described(TEXT, 'What is wrong, in words.'),
    hint: { ...MAYBE_TEXT, description: 'What to do about it.' },
  },
  { title: 'Mistake in a file' },
);
export const MISTAKES: JsonSchema = { type: 'array', items: MISTAKE };

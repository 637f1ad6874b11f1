// How mistakes in the files of config repos are described.
import type { JsonSchema } from '../../shape/json.ts';
import { MAYBE_TEXT, objectSchema, TEXT } from '../../shape/schemas.ts';

const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'] };
const MISTAKE = objectSchema(
  {
    file: { ...MAYBE_TEXT, description: 'null: no single file is to blame.' },
    line: MAYBE_COUNT,
    column: MAYBE_COUNT,
    entity: { ...MAYBE_TEXT, description: 'What is defined there.' },
    message: TEXT,
    hint: { ...MAYBE_TEXT, description: 'What to do about it.' },
  },
  { title: 'Mistake in a file' },
);
export const MISTAKES: JsonSchema = { type: 'array', items: MISTAKE };

// The answer to a write that is based on an older version: the same on all routes that check If-Match and change the configuration.
import type { JsonSchema } from '../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, MESSAGE, objectSchema, TEXT, TIME } from '../../shape/json/schemas.ts';
import { STALE_ENTITY } from '../../shape/problems/messages.ts';

const NUMBER: JsonSchema = { type: 'integer' };
const FIELD_VALUE: JsonSchema = { description: 'The value of the field; secrets as `(secret)`, passwords in addresses as `******`.' };
const listOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });

export const FIELD_NAME = described(TEXT, 'What people call the field, by the names of the members of lists. A whole entity has none.');

/** One field that is different. */
export const FIELD_DIFFERENCE = objectSchema(
  {
    path: { ...TEXT, description: 'JSON pointer.' },
    operation: { enum: ['add', 'remove', 'replace', 'move'], description: 'What became of the field.' },
    words: described(TEXT, 'The same for people.'),
  },
  {
    title: 'Difference in a field',
    others: {
      field: FIELD_NAME,
      before: FIELD_VALUE,
      after: FIELD_VALUE,
    },
  },
);

const CHANGE = objectSchema(
  {
    revision: described(NUMBER, 'The revision that it made.'),
    time: described(TIME, 'When.'),
    actor: described(TEXT, 'Who.'),
    reason: described(MAYBE_TEXT, 'Why; null: no reason was given.'),
    operation: { enum: ['create', 'update', 'delete'], description: 'What was done.' },
  },
  { title: 'Change since' },
);
const OVERLAP = objectSchema(
  { path: { ...TEXT, description: 'JSON pointer.' } },
  { title: 'Overlap', others: { base: FIELD_VALUE, yours: FIELD_VALUE, theirs: FIELD_VALUE } },
);

export const STALE_SCHEMA: JsonSchema = objectSchema(
  { message: described(TEXT, 'What is wrong, in words.') },
  {
    title: 'Conflict',
    others: {
      data: {
        ...objectSchema(
          {
            base: {
              oneOf: [objectSchema({ revision: described(NUMBER, 'Its number.') }), { type: 'null' }],
              description: 'The revision of the version in If-Match; null: the server does not know that version.',
            },
            changes: listOf(CHANGE, 'What happened to it since, the newest first; without a known base the last change only.'),
            yours: listOf(
              FIELD_DIFFERENCE,
              'What you have changed, or what your patch makes of it, compared with the base, or with what is there now when that is not known.',
            ),
          },
          {
            others: {
              more_changes: { ...NUMBER, description: 'How many changes are not listed.' },
              theirs: listOf(FIELD_DIFFERENCE, 'What others have changed, compared with the base.'),
              overlaps: listOf(OVERLAP, 'What both have changed.'),
              can_be_merged: { ...FLAG, description: 'Whether nothing overlaps; `Prefer: merge` on PUT does the rest.' },
            },
          },
        ),
        description: 'Absent when If-Match was not sent.',
      },
    },
  },
);

/** Records outside of the configuration have no history to report. */
export const STALE_RECORD = { schema: MESSAGE, example: { message: STALE_ENTITY } };

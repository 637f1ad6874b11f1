// The JSON Schemas of the answers of the routes of the history.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { FIELD_NAME } from '../../engine/conflict-schema.ts';
import { DEFAULT_PAGE, MAX_PAGE_SIZE } from './query.ts';

export const NUMBER: JsonSchema = { type: 'integer' };
const MAYBE_NUMBER: JsonSchema = { type: ['integer', 'null'] };
const FIELD_VALUE: JsonSchema = { description: 'The value of the field; secrets as `(secret)`, passwords in addresses as `******`.' };

export const OPERATION = { enum: ['create', 'update', 'delete'], description: 'What was done to it.' };
export const CHANGED = {
  resource: { ...TEXT, description: 'The kind of configuration: the last part of its path.' },
  id: { ...TEXT, description: 'Empty where there is only one.' },
  operation: OPERATION,
};
export const DIFFERENCES = {
  differences: {
    type: ['array', 'null'],
    description: 'Field by field; null: the values are not kept any more.',
    items: objectSchema(
      {
        path: {
          ...TEXT,
          description: 'JSON pointer into the later state; the last step of what was removed counts in the earlier one.',
        },
        operation: { enum: ['add', 'remove', 'replace', 'move'], description: '`move`: the same members in another order.' },
        words: described(TEXT, 'The same for people.'),
      },
      { title: 'Difference of a field', others: { field: FIELD_NAME, before: FIELD_VALUE, after: FIELD_VALUE } },
    ),
  },
  patch: {
    type: ['array', 'null'],
    description: 'The same as a JSON Patch (RFC 6902) between the states as they are shown here.',
    items: objectSchema(
      {
        op: { enum: ['add', 'remove', 'replace', 'move'], description: 'The operation.' },
        path: described(TEXT, 'JSON pointer to its target.'),
      },
      { title: 'Operation of a patch', others: { from: described(TEXT, 'JSON pointer to what is moved.'), value: FIELD_VALUE } },
    ),
  },
};
export const REVISION = {
  _links: LINKS,
  revision: described(NUMBER, '1, 2, 3 …'),
  time: described(TIME, 'When.'),
  actor: described(TEXT, 'Who.'),
  token: { ...MAYBE_NUMBER, description: 'The id of the access token that was used.' },
  address: { ...MAYBE_TEXT, description: 'Where the request came from.' },
  reason: { ...MAYBE_TEXT, description: 'From the header `X-Svc-Reason`.' },
  name: described(MAYBE_TEXT, 'The name that a user gave it.'),
  change_count: { ...NUMBER, description: 'How many entities it has changed.' },
};
export const FIELD = objectSchema(
  {
    path: { ...TEXT, description: 'JSON pointer.' },
    field: { ...TEXT, description: 'The same in words.' },
    value: FIELD_VALUE,
    revision: { ...MAYBE_NUMBER, description: 'null: it was set before the part of the history that is kept.' },
    time: described(MAYBE_TIME, 'When it was set.'),
    actor: described(MAYBE_TEXT, 'Who set it.'),
    token: described(MAYBE_NUMBER, 'The id of the access token that was used.'),
    reason: described(MAYBE_TEXT, 'Why.'),
  },
  { title: 'Field and who set it' },
);

export const PAGE: Readonly<Record<string, JsonSchema>> = {
  page_size: { ...NUMBER, minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE, description: 'How many at most.' },
  cursor: { ...NUMBER, description: 'Where to go on; the link `next` has it.' },
};

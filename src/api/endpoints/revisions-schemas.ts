// The JSON Schemas of what the routes of the history answer.
import type { JsonSchema } from '../../shape/json.ts';
import { LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../shape/schemas.ts';
import { LARGEST_PAGE, USUAL_PAGE } from './revisions-query.ts';

export const NUMBER: JsonSchema = { type: 'integer' };
const MAYBE_NUMBER: JsonSchema = { type: ['integer', 'null'] };
const ANYTHING: JsonSchema = { description: 'Whatever the field holds; secrets as `(secret)`, passwords in addresses as `******`.' };

export const OPERATION = { enum: ['create', 'update', 'delete'] };
export const CHANGED = {
  resource: { ...TEXT, description: 'The kind of configuration: the last step of its path.' },
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
        words: TEXT,
      },
      { title: 'Difference of a field', others: { before: ANYTHING, after: ANYTHING } },
    ),
  },
  patch: {
    type: ['array', 'null'],
    description: 'The same as a JSON Patch (RFC 6902) between the states as they are shown here.',
    items: objectSchema(
      { op: { enum: ['add', 'remove', 'replace', 'move'] }, path: TEXT },
      { title: 'Operation of a patch', others: { from: TEXT, value: ANYTHING } },
    ),
  },
};
export const REVISION = {
  _links: LINKS,
  revision: NUMBER,
  time: TIME,
  actor: TEXT,
  token: { ...MAYBE_NUMBER, description: 'The id of the access token that was used.' },
  address: { ...MAYBE_TEXT, description: 'Where the request came from.' },
  reason: { ...MAYBE_TEXT, description: 'From the header `X-Svc-Reason`.' },
  name: MAYBE_TEXT,
  change_count: { ...NUMBER, description: 'How many entities it has changed.' },
};
export const FIELD = objectSchema(
  {
    path: { ...TEXT, description: 'JSON pointer.' },
    field: { ...TEXT, description: 'The same in words.' },
    value: ANYTHING,
    revision: { ...MAYBE_NUMBER, description: 'null: it was set before the part of the history that is kept.' },
    time: MAYBE_TIME,
    actor: MAYBE_TEXT,
    token: MAYBE_NUMBER,
    reason: MAYBE_TEXT,
  },
  { title: 'Field and who set it' },
);

export const PAGE: Readonly<Record<string, JsonSchema>> = {
  page_size: { ...NUMBER, minimum: 1, maximum: LARGEST_PAGE, default: USUAL_PAGE, description: 'How many at most.' },
  cursor: { ...NUMBER, description: 'Where to go on; the link `next` has it.' },
};

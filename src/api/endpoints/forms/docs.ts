// The documentation of forms.
import { described, FLAG, LINKS, MAYBE_FLAG, MAYBE_TEXT, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';

export const FORMS_CHAPTER = 'forms';
export const FORMS_PATH = '/api/forms';
export const EXAMPLE_RESOURCE = 'artifact_stores';

export const unknownForm = (resource: string): string => `There is no form for '${resource.slice(0, 100)}'.`;

const FACTS = {
  resource: described(TEXT, 'Its name, as in addresses of the history.'),
  title: described(TEXT, 'The name for people, in the plural.'),
  singular: described(TEXT, 'The name of one of them, for use in a sentence.'),
  about: described(TEXT, 'What they are for.'),
  is_singleton: described(FLAG, 'Whether there is only one.'),
  is_set: described(
    MAYBE_FLAG,
    'For a single one that the caller may see: whether it was set. If not, `GET` shows the defaults, and there is nothing to delete. null: there can be several.',
  ),
  path: described(TEXT, 'Where they are listed and created; one is at `path/ADDRESS`, a single one at `path`.'),
  id_field: described(MAYBE_TEXT, 'The member that others refer to; null: there is only one.'),
  address_field: described(MAYBE_TEXT, 'The member that identifies it in addresses.'),
  name_field: described(MAYBE_TEXT, 'The member to show to people.'),
  list_key: described(MAYBE_TEXT, 'The member of `_embedded` that holds the list.'),
  created_as: {
    oneOf: [
      objectSchema(
        { member: described(TEXT, 'The name of the member.'), beside: described(TEXTS, 'Members that are placed beside it instead.') },
        { title: 'How a new one is sent' },
      ),
      { type: 'null' },
    ],
    description: 'The member of another object in which a new one is sent; null: it is sent as it is.',
  },
  version: described({ type: 'integer' }, 'The version of the API that the schema belongs to.'),
  can_view: described(FLAG, 'Whether the caller may see any.'),
  can_create: described(FLAG, 'Whether the caller may create any.'),
  can_delete: described(FLAG, 'Whether they can be deleted; for a single one this also depends on the rights of the caller.'),
  can_rename: described(FLAG, 'Whether a change may rename one.'),
  has_usages: described(MAYBE_TEXT, 'The address that lists what uses one, with `{id}` in place of its id; null: there is none.'),
};

const PARTS = {
  schema: {
    type: 'object',
    additionalProperties: true,
    description:
      'The JSON schema of the body to send. Besides the usual members it has `x-choices`, `x-format`, `x-refers-to`, `x-secret`, `x-plugin` and `x-variants`.',
  },
  example: { type: 'object', additionalProperties: true, description: 'An example of a body.' },
};

const LIST_SCHEMA = objectSchema({
  _links: LINKS,
  forms: { type: 'array', items: objectSchema(FACTS, { title: 'Form in short' }), description: 'One for each resource.' },
});
const FORM_SCHEMA = objectSchema({ _links: LINKS, ...FACTS, ...PARTS }, { title: 'Form' });

export const LIST: Omit<RouteDescription, 'chapter'> = {
  summary: 'List what can be configured',
  details: 'One entry for each resource, with what the caller may do.',
  response: LIST_SCHEMA,
  hasEtag: true,
};

export const FORM: Omit<RouteDescription, 'chapter'> = {
  summary: 'Show the form of one resource',
  details: 'Everything that a page needs to let people fill in the body of a request. Settings of plugins are described by the plugins.',
  parameters: { resource: { description: 'The `resource` of the form.', example: EXAMPLE_RESOURCE } },
  response: FORM_SCHEMA,
  hasEtag: true,
  failures: { 404: { when: 'There is no such form.', example: { message: unknownForm('unknown') } } },
};

// The documentation of forms.
import { described, FLAG, LINKS, MAYBE_FLAG, MAYBE_TEXT, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';

export const FORMS_CHAPTER = 'forms';
export const FORMS_PATH = '/api/forms';
export const EXAMPLE_RESOURCE = 'artifact_stores';

export const unknownForm = (resource: string): string => `There is no form for '${resource.slice(0, 100)}'.`;

const FACTS = {
  resource: described(TEXT, 'Its name, as addresses of the history have it.'),
  title: described(TEXT, 'What people call all of them.'),
  singular: described(TEXT, 'What people call one of them, inside a sentence.'),
  about: described(TEXT, 'What they are for.'),
  is_singleton: described(FLAG, 'Whether there is only one.'),
  is_set: described(
    MAYBE_FLAG,
    'Of a single one that the caller may see: whether it was set. If not, what a `GET` shows are defaults, and there is nothing to delete. null: there can be several.',
  ),
  path: described(TEXT, 'Where they are listed and created; one is at `path/ADDRESS`, a single one at `path`.'),
  id_field: described(MAYBE_TEXT, 'The member that others refer to; null: there is only one.'),
  address_field: described(MAYBE_TEXT, 'The member that stands in addresses.'),
  name_field: described(MAYBE_TEXT, 'The member to show people.'),
  list_key: described(MAYBE_TEXT, 'The member of `_embedded` that holds the list.'),
  created_as: {
    oneOf: [
      objectSchema(
        { member: described(TEXT, 'What it is called there.'), beside: described(TEXTS, 'Members of it that stand beside it instead.') },
        { title: 'How a new one is sent' },
      ),
      { type: 'null' },
    ],
    description: 'Of those that are created as a member of another object: which one; null: they are sent as they are.',
  },
  version: described({ type: 'integer' }, 'The version of the API that the schema is of.'),
  can_view: described(FLAG, 'Whether the caller may see any.'),
  can_create: described(FLAG, 'Whether the caller may create any.'),
  can_delete: described(FLAG, 'Whether they can be deleted; of a single one this also depends on rights to it.'),
  can_rename: described(FLAG, 'Whether a change may give one another id.'),
  has_usages: described(MAYBE_TEXT, 'Where to ask what uses one, with `{id}` in place of its address; null: nowhere.'),
};

const PARTS = {
  schema: {
    type: 'object',
    additionalProperties: true,
    description:
      'The JSON schema of the body to send. Beside the usual members it has `x-choices`, `x-format`, `x-refers-to`, `x-secret`, `x-plugin` and `x-variants`.',
  },
  example: { type: 'object', additionalProperties: true, description: 'A body that could be sent.' },
};

const LIST_SCHEMA = objectSchema({
  _links: LINKS,
  forms: { type: 'array', items: objectSchema(FACTS, { title: 'Form in short' }), description: 'One for each resource.' },
});
const FORM_SCHEMA = objectSchema({ _links: LINKS, ...FACTS, ...PARTS }, { title: 'Form' });

export const LIST: Omit<RouteDescription, 'chapter'> = {
  summary: 'What can be configured',
  details: 'One entry for each resource, with what the caller may do.',
  response: LIST_SCHEMA,
  hasEtag: true,
};

export const FORM: Omit<RouteDescription, 'chapter'> = {
  summary: 'Show the form of one resource',
  details: 'All that a page needs to let people fill in the body of a request. Settings of plugins are described by the plugins.',
  parameters: { resource: { description: 'The `resource` of the form.', example: EXAMPLE_RESOURCE } },
  response: FORM_SCHEMA,
  hasEtag: true,
  failures: { 404: { when: 'There is no such form.', example: { message: unknownForm('unknown') } } },
};

// The modifications of a material, page by page, as JSON and in the documentation.
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, embedded, LINKS, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Modification, ModificationPage } from '../../../store/materials/modifications.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export const MATERIALS_CHAPTER = 'materials';
export const MODIFICATIONS_PATH = '/api/materials/:fingerprint/modifications';
export const PAGE_SIZE = 10;
export const UNKNOWN = 'Not Found { Material not found }';
export const MATERIAL_NOT_VISIBLE = 'Unauthorized { Do not have view permission to this material }';
const VIEWERS = 'users who may see a pipeline group that uses it';

export function modificationsJson(fingerprint: string, offset: number, { total, modifications }: ModificationPage, base: string): JsonOut {
  const self = MODIFICATIONS_PATH.replace(':fingerprint', encodeURIComponent(fingerprint));
  return {
    _links: links(base, { self, doc: docLink(MATERIALS_CHAPTER), find: `${MODIFICATIONS_PATH}/{offset}` }),
    _embedded: { modifications: modifications.map(modificationJson), pagination: { page_size: PAGE_SIZE, offset, total } },
  };
}

function modificationJson({ id, userName, email, revision, modifiedTime, comment }: Omit<Modification, 'ordinal'>): JsonOut {
  return { id, user_name: userName, email_address: email, revision, modified_time: modifiedTime.getTime(), comment };
}

const COUNT: JsonSchema = { type: 'integer' };
const MODIFICATION = objectSchema(
  {
    id: { ...COUNT, description: 'Grows with every change in any material.' },
    user_name: described(MAYBE_TEXT, 'Who made the change.'),
    email_address: described(MAYBE_TEXT, 'The mail address of the author of the change.'),
    revision: described(TEXT, 'The revision in the repository, such as a commit id.'),
    modified_time: { ...COUNT, description: 'Milliseconds since 1970 began.' },
    comment: described(MAYBE_TEXT, 'The commit message.'),
  },
  { title: 'Modification' },
);

export function describeModifications(fingerprint: string): Omit<RouteDescription, 'summary'> {
  const newest = {
    id: 7225,
    ordinal: 1,
    userName: 'Ann Other <ann@example.org>',
    email: null,
    revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb',
    modifiedTime: new Date('2026-01-31T09:30:00Z'),
    comment: 'Take the new logo',
  };
  return {
    chapter: MATERIALS_CHAPTER,
    callers: VIEWERS,
    response: objectSchema({
      _links: LINKS,
      _embedded: embedded({
        modifications: { type: 'array', items: MODIFICATION, description: 'The newest first.' },
        pagination: described(
          objectSchema({
            page_size: described(COUNT, 'How many there are on a page.'),
            offset: described(COUNT, 'How many newer ones there are.'),
            total: described(COUNT, 'How many there are in all.'),
          }),
          'Which part of all this is.',
        ),
      }),
    }),
    example: modificationsJson(fingerprint, 0, { total: 1, modifications: [newest] }, EXAMPLE_BASE),
    hasEtag: true,
    failures: {
      403: { when: 'You may not see any pipeline group that uses it.', example: { message: MATERIAL_NOT_VISIBLE } },
      404: { example: { message: UNKNOWN } },
    },
  };
}

// The modifications of a material, from page to page by cursors: the cost does not depend on how far down a page is.
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { type CursorPage, cursorPage, type Range } from '../../../store/builds/cursor-page.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import { EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { dateOf } from '../common/date-of.ts';
import { PAGE_FAILURES, PAGE_LINKS, PAGE_QUERY, pageLinks, wantedPage } from '../runs/pages.ts';
import type { InternalMaterialParts } from './internal.ts';
import { MATERIAL_NOT_VISIBLE, MATERIALS_CHAPTER, UNKNOWN } from './modifications.ts';
import { exampleFingerprint } from './routes.ts';

export interface ModificationPageParts extends InternalMaterialParts {
  /** The modifications on one side of an ordinal; empty when the material was never polled. */
  modificationsBeside(fingerprint: string, range: Range): Promise<readonly Modification[]>;
}

const PATH = '/api/internal/materials/:fingerprint/modifications';

export function modificationPageRoute(parts: ModificationPageParts): Route {
  const { access } = parts;
  return {
    method: 'GET',
    path: PATH,
    version: 1,
    permission: 'user',
    description: {
      chapter: MATERIALS_CHAPTER,
      summary: 'What has changed in a material, the newest first, by cursors',
      callers: 'users who may see a pipeline group that uses it',
      parameters: { fingerprint: { description: 'The fingerprint of the material.', example: exampleFingerprint(parts) } },
      query: PAGE_QUERY,
      response: objectSchema({
        _links: PAGE_LINKS,
        modifications: { type: 'array', items: MODIFICATION, description: 'The modifications.' },
      }),
      example: { _links: {}, modifications: [EXAMPLE] },
      hasEtag: true,
      failures: {
        ...PAGE_FAILURES,
        403: { when: 'You may not see any pipeline group that uses it.', example: { message: MATERIAL_NOT_VISIBLE } },
        404: { example: { message: UNKNOWN } },
      },
    },
    handle: async ({ params: { fingerprint = '' }, identity, query, base }) => {
      const { cursor, size } = wantedPage(query);
      const uses = (await parts.materials()).get(fingerprint)?.uses ?? [];
      if (uses.length === 0 && access.isAdmin(identity)) throw new Refusal('notFound', UNKNOWN);
      if (!uses.some((use) => access.mayView(identity, use))) throw new Refusal('forbidden', MATERIAL_NOT_VISIBLE);
      const page = await cursorPage(cursor, size, (range) => parts.modificationsBeside(fingerprint, range));
      return jsonAnswer(pageJson(fingerprint, page, size, base), {
        etag: sha512of256(JSON.stringify(pageJson(fingerprint, page, size, ''))),
      });
    },
  };
}

function pageJson(fingerprint: string, page: CursorPage<Modification>, size: number, base: string): JsonOut {
  const path = PATH.replace(':fingerprint', () => encodeURIComponent(fingerprint));
  return {
    _links: pageLinks(base, path, page, size, ({ ordinal }) => ordinal),
    modifications: page.items.map(({ revision, userName, email, modifiedTime, comment }) => ({
      revision,
      username: userName,
      email_address: email,
      modified_time: dateOf(modifiedTime),
      comment,
    })),
  };
}

const MODIFICATION = objectSchema(
  {
    revision: described(TEXT, 'What the repository calls it.'),
    username: { ...MAYBE_TEXT, description: 'Who made it.' },
    email_address: { ...MAYBE_TEXT, description: 'The mail address of its author.' },
    modified_time: described(TIME, 'When it was made.'),
    comment: { ...MAYBE_TEXT, description: 'Its comment.' },
  },
  { title: 'Modification of a material' },
);
const EXAMPLE: JsonOut = {
  revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb',
  username: 'Ann Other <ann@example.org>',
  email_address: null,
  modified_time: EXAMPLE_TIME,
  comment: 'Take the new logo',
};

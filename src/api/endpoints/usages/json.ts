// Which pipelines use something.
import type { Config } from '../../../config/current.ts';
import type { KindName } from '../../../shape/configuration.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { type Answer, jsonAnswer } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export interface Usage {
  readonly group: string;
  readonly pipeline: string;
}

/** The pipelines that use the entity at an address of a kind; undefined: there is no such entity. */
export type UsagesIn = (config: Config, kind: KindName, address: string) => readonly Usage[] | undefined;

/** The kinds whose entities are searched for usages. */
export const USERS: readonly KindName[] = ['pipelines'];

/** Where the usages of one thing are found: `/api/admin/packages/:package_id/usages`, and the chapter that documents them. */
export interface UsagesHome {
  readonly path: string;
  readonly chapter: string;
}

export const USAGES_SCHEMA = objectSchema(
  {
    _links: LINKS,
    usages: {
      type: 'array',
      description: 'The pipelines that use it.',
      items: objectSchema({ group: described(TEXT, 'The group of the pipeline.'), pipeline: described(TEXT, 'Its name.') }),
    },
  },
  { title: 'Usages' },
);

export function usagesAnswer(home: UsagesHome, id: string, usages: readonly Usage[], base: string): Answer {
  return jsonAnswer(usagesJson(home, id, usages, base));
}

export function usagesExample(home: UsagesHome, id: string): JsonOut {
  return usagesJson(home, id, [{ group: 'platform', pipeline: 'packaging' }], EXAMPLE_BASE);
}

function usagesJson({ path, chapter }: UsagesHome, id: string, usages: readonly Usage[], base: string): JsonOut {
  const self = path.replace(/:\w+/, () => encodeURIComponent(id));
  return { _links: links(base, { self, doc: docLink(chapter), find: path }), usages: usages.map((usage) => ({ ...usage })) };
}

// What refers to an entity of the configuration, whichever it is: what stands in the way of deleting it.
import type { Config } from '../../../config/current.ts';
import { Draft } from '../../../config/draft.ts';
import type { Referrer } from '../../../config/references.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { addressOf, type Kind, resourceName } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { fromConfig } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { docLink, links } from '../common/links.ts';
import { unknownResource } from '../revisions/docs.ts';
import { CHAPTER, ENTITIES_PATH, entityPath } from '../revisions/json.ts';
import { MEMBER_PATH, memberIn } from '../revisions/subject.ts';

/** Of any resource that has no route of its own for it. */
export const ENTITY_USAGES_PATH = `${MEMBER_PATH}/usages`;
const EXAMPLE = { resource: 'cluster_profiles', id: 'build-farm' };

export function entityUsagesRoute(parts: ResourceParts): Route {
  const route = {
    method: 'GET',
    path: ENTITY_USAGES_PATH,
    version: 1,
    permission: 'admin',
    description: {
      chapter: CHAPTER,
      summary: 'What refers to an entity',
      details:
        'These keep it from being deleted, or are deleted with it. A secret config is used by all whose values name it: `{{SECRET:[id][key]}}`.',
      parameters: {
        resource: { description: 'The kind of configuration: the last part of its path.', example: EXAMPLE.resource },
        id: { description: 'Its id in addresses.', example: EXAMPLE.id },
      },
      response: SCHEMA,
      example: usagesJson(`${ENTITIES_PATH}/${EXAMPLE.resource}/${EXAMPLE.id}`, [{ resource: 'profiles', id: 'node-small' }], EXAMPLE_BASE),
      hasEtag: true,
      failures: { 404: { when: 'There is no such kind, or no such entity.', example: { message: unknownResource('unknown') } } },
    },
  } as const;
  return fromConfig(
    route,
    parts,
    Array.from(parts.config.kinds.values(), ({ name }) => name),
    async (config, request) => {
      const { kind, id, key } = memberIn(config, request);
      mustExist(kind, id, config.of(kind.name).find(key));
      if (kind.isNamedInTexts) await config.prepareIdsInTexts(pause);
      return jsonAnswer(usagesJson(entityPath(kind, id), usagesOf(config, kind, key), request.base));
    },
  );
}

function usagesOf(config: Config, kind: Kind, key: string): JsonOut[] {
  const draft = new Draft(config);
  const named = draft.referrers(kind.name, key).map((referrer) => namedIn(draft, referrer));
  return [...new Map(named.map((one) => [`${one.resource}\n${one.id}`, one])).values()];
}

/** What people know only as a part of another entity is named by that one, such as the rights of a template. */
function namedIn(draft: Draft, { kind: name, id }: Referrer): { readonly resource: string; readonly id: string } {
  const kind = draft.kind(name);
  const entity = draft.find(kind, id)?.value;
  const owner = entity && kind.isInternal ? kind.refersTo?.(entity).find(({ isOwner }) => isOwner) : undefined;
  if (owner) return namedIn(draft, owner);
  return { resource: resourceName(kind), id: entity ? addressOf(kind, entity) : id };
}

const SCHEMA = objectSchema(
  {
    _links: LINKS,
    usages: {
      type: 'array',
      description: 'The entities that refer to it.',
      items: objectSchema({
        resource: described(TEXT, 'The kind of the entity.'),
        id: described(TEXT, 'What stands for it in addresses; empty: there is only one.'),
      }),
    },
  },
  { title: 'Usages of an entity' },
);

function usagesJson(path: string, usages: readonly JsonOut[], base: string): JsonOut {
  return { _links: links(base, { self: `${path}/usages`, doc: docLink(CHAPTER) }), usages };
}

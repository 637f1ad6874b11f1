// The entities that the caller may see and administer, by kind.
import type { Access } from '../../../access/may.ts';
import type { Config } from '../../../config/current.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type JsonOut, snakeCase } from '../../../shape/json/json.ts';
import { described, LINKS, objectSchema, TEXTS } from '../../../shape/json/schemas.ts';
import { type Collection, idOf, type Kind } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export function permissionsRoute(config: Config, access: Access): Route {
  const governed = [...config.kinds.values()].filter((kind): kind is Kind & Collection => kind.shape === 'collection' && isGoverned(kind));
  const types = governed.map((kind) => kind.policy!.type);
  return {
    method: 'GET',
    path: '/api/auth/permissions',
    version: 1,
    permission: 'user',
    description: {
      chapter: 'permissions',
      summary: 'What the user who asks may see and administer',
      query: { type: { type: 'string', description: `Some of ${types.join(', ')}, separated by commas.` } },
      response: objectSchema({
        _links: LINKS,
        permissions: {
          type: 'object',
          description: 'By kind of things.',
          properties: Object.fromEntries(
            types.map((type) => [type, described(RIGHTS_SCHEMA, `What the user may do with each ${type.replaceAll('_', ' ')}.`)]),
          ),
        },
      }),
      example: permissionsJson(Object.fromEntries(governed.map((kind) => [kind.policy!.type, exampleRights(kind)])), EXAMPLE_BASE),
      hasEtag: true,
      failures: { 422: { when: 'There is no such type.' } },
    },
    handle: ({ identity, base, query }) => {
      const wanted = query.get('type')?.split(',') ?? types;
      const unknown = wanted.find((type) => !types.some((known) => known === type));
      if (unknown !== undefined) {
        throw new Refusal(
          'invalid',
          `Your request could not be processed. Invalid permission type '${unknown.slice(0, 100)}'. It has to be one of '${types.join(', ')}'.`,
        );
      }
      const permissions = Object.fromEntries(
        governed
          .filter((kind) => wanted.includes(kind.policy!.type))
          .map((kind) => [kind.policy!.type, { view: names(kind, 'view'), administer: names(kind, 'administer') }]),
      );
      return jsonAnswer(permissionsJson(permissions, base));

      function names(kind: Kind & Collection, action: 'view' | 'administer'): string[] {
        const { policy, permission } = kind;
        const subjects = Array.from(config.of(kind.name).all(), ({ value }) => ({
          resource: idOf(kind, value),
          within: policy!.within?.(value) ?? '',
        }));
        return subjects
          .filter((subject) => access.may(identity, permission, { type: policy!.type, action, ...subject }))
          .map(({ resource }) => resource);
      }
    },
  };
}

const RIGHTS_SCHEMA = objectSchema(
  { view: described(TEXTS, 'Those the user may see.'), administer: described(TEXTS, 'Those the user may change.') },
  { title: 'Rights' },
);

function permissionsJson(permissions: JsonOut, base: string): JsonOut {
  return { _links: links(base, { self: '/api/auth/permissions', doc: docLink('permissions') }), permissions };
}

/** The rights of an administrator of a server that holds nothing but the examples. */
function exampleRights(kind: Kind & Collection): JsonOut {
  const names = [String(kind.example[snakeCase(kind.id)])];
  return { view: names, administer: names };
}

/** The kinds that role policies speak of. */
const GOVERNED = new Set(['environment', 'config_repo', 'cluster_profile', 'elastic_agent_profile']);

function isGoverned({ policy }: Kind): boolean {
  return policy !== undefined && GOVERNED.has(policy.type);
}

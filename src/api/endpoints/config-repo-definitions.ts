// What a config repo defines, as far as it is in force.
import type { Config } from '../../config/current.ts';
import type { DefinitionsInForce } from '../../config-repos/definitions.ts';
import type { JsonOut, JsonSchema } from '../../shape/json.ts';
import { objectSchema, TEXT } from '../../shape/schemas.ts';
import type { Route } from '../route.ts';
import { configRepoRoute, tagged } from './config-repo-route.ts';

const NAMED = objectSchema({ name: TEXT });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const SCHEMA = objectSchema(
  {
    environments: list(NAMED),
    groups: list(objectSchema({ name: TEXT, pipelines: list(NAMED) }, { title: 'Pipelines of a group' })),
  },
  { title: 'Definitions' },
);
const EXAMPLE: DefinitionsInForce = { environments: ['qa'], groups: [{ name: 'team-a', pipelines: ['build', 'deploy'] }] };

export function configRepoDefinitionsRoute(config: Config, definitions: (id: string) => DefinitionsInForce): Route {
  return configRepoRoute(
    {
      method: 'GET',
      path: 'definitions',
      version: 4,
      description: {
        summary: 'What a config repo defines',
        details: 'What is in force: the last revision without problems. Empty lists when there is none.',
        response: SCHEMA,
        example: definitionsJson(EXAMPLE),
        hasEtag: true,
      },
      handle: async (id) => tagged(definitionsJson(definitions(id))),
    },
    config,
  );
}

function definitionsJson({ environments, groups }: DefinitionsInForce): JsonOut {
  const named = (names: readonly string[]) => names.map((name) => ({ name }));
  return { environments: named(environments), groups: groups.map(({ name, pipelines }) => ({ name, pipelines: named(pipelines) })) };
}

// The definitions of a config repo that are in force.
import type { Config } from '../../../config/current.ts';
import type { DefinitionsInForce } from '../../../config-repos/publish/definitions-in-force.ts';
import type { KindName } from '../../../shape/configuration.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { configRepoKind, configRepoRoute } from './config-repo-route.ts';

const NAMED = objectSchema({ name: described(TEXT, 'Its name.') });
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const SCHEMA = objectSchema(
  {
    environments: list(NAMED, 'Environments of which it defines something.'),
    groups: list(
      objectSchema(
        { name: described(TEXT, 'The name of the group.'), pipelines: list(NAMED, 'Its pipelines.') },
        { title: 'Pipelines of a group' },
      ),
      'Pipelines, by group.',
    ),
  },
  { title: 'Definitions' },
);
const EXAMPLE: DefinitionsInForce = { environments: ['qa'], groups: [{ name: 'team-a', pipelines: ['build', 'deploy'] }] };

export type DefinitionsIn = (config: Config, id: string) => DefinitionsInForce;

/** The kinds that the definitions are read from. */
const KINDS: readonly KindName[] = ['configRepos', 'pipelines', 'environmentParts'];

export function configRepoDefinitionsRoute(parts: Pick<ResourceParts, 'config' | 'past'>, definitionsIn: DefinitionsIn): Route {
  const { config, past } = parts;
  const route = configRepoRoute(
    {
      method: 'GET',
      path: 'definitions',
      description: {
        summary: 'What a config repo defines',
        details: 'What is in force: the last revision without problems. Empty lists when there is none.',
        response: SCHEMA,
        example: definitionsJson(EXAMPLE),
        hasEtag: true,
      },
      handle: async (id) => jsonAnswer(definitionsJson(definitionsIn(config, id))),
    },
    config,
  );
  return atAnyTime(route, parts, async (revision, { params: { id = '' } }) => {
    const then = await past.config(KINDS, revision);
    const kind = configRepoKind(then);
    mustExist(kind, id, then.of(kind.name).find(id));
    return jsonAnswer(definitionsJson(definitionsIn(then, id)));
  });
}

function definitionsJson({ environments, groups }: DefinitionsInForce): JsonOut {
  const named = (names: readonly string[]) => names.map((name) => ({ name }));
  return { environments: named(environments), groups: groups.map(({ name, pipelines }) => ({ name, pipelines: named(pipelines) })) };
}

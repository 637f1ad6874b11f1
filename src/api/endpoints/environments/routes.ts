// The environments, and of each of their parts where it is defined: by the server's own configuration, or by a config repo.
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { type RemoteOrigin, repoOriginOf } from '../../../config/repo-origin.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { isObject, type JsonObject, type JsonOut, type JsonSchema } from '../../../shape/json/json.ts';
import { described, embedded, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { type Collection, idOf, type Kind } from '../../../shape/resource.ts';
import { answerExample } from '../../engine/answer-example.ts';
import { atAnyTime, type State, stateAt } from '../../engine/at-time.ts';
import { guardsOf, visibleTo } from '../../engine/guards.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { responseSchema } from '../../engine/resource-schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { CHAPTER as CONFIG_REPOS, CONFIG_REPOS_PATH } from '../config-repos/config-repo-route.ts';

const PARTS = 'environmentParts';
const SERVER_ORIGIN = { type: 'gocd' };

/** The origins of the parts of an environment: by the names of pipelines and variables in lower case. */
interface Origins {
  /** Undefined stands for the server's own configuration. */
  readonly all: readonly (RemoteOrigin | undefined)[];
  readonly pipelines: ReadonlyMap<string, RemoteOrigin>;
  readonly variables: ReadonlyMap<string, RemoteOrigin>;
}

export function mergedEnvironmentsRoute(environments: Kind<'environments'> & Collection, parts: ResourceParts): Route {
  const { access, config, renderer } = parts;
  const listOf = (state: State, { identity, base }: ApiRequest): Answer => {
    const draft = new Draft(state.config);
    const isVisible = visibleTo(identity, environments, access) ?? (() => true);
    const entries = [...state.config.of(environments.name).all()].filter(isVisible);
    const sorted = entries.toSorted((one, other) => (idOf(environments, one.value) < idOf(environments, other.value) ? -1 : 1));
    const shown = (entry: Entry<EntityNamed<'environments'>>): JsonOut => {
      const json = JSON.parse(state.renderer.one(environments, entry, base).text) as JsonObject;
      return mergedJson(json, originsOf(entry, draft, environments), base);
    };
    return jsonAnswer(listJson(sorted.map(shown)));
  };
  const route: Route = {
    method: 'GET',
    path: '/api/admin/internal/environments/merged',
    version: 1,
    permission: environments.permission,
    guard: guardsOf(environments, config).list!,
    description: {
      chapter: environments.doc,
      summary: 'List of environments, with the place where each of their parts is defined',
      response: objectSchema({
        _embedded: embedded({ environments: { type: 'array', items: schemaOf(environments), description: 'The environments.' } }),
      }),
      example: () => listJson([mergedJson(answerExample(environments, parts), NO_PARTS, '')]),
    },
    handle: (request) => listOf({ config, renderer }, request),
  };
  return atAnyTime(route, parts, async (revision, request) => listOf(await stateAt(parts, [environments.name, PARTS], revision), request));
}

const NO_PARTS: Origins = { all: [undefined], pipelines: new Map(), variables: new Map() };

function originsOf({ key, value }: Entry<EntityNamed<'environments'>>, draft: Draft, { name }: Kind): Origins {
  const repos = new Map<string, RemoteOrigin>();
  const pipelines = new Map<string, RemoteOrigin>();
  const variables = new Map<string, RemoteOrigin>();
  // In the order of repos and files, whichever came first.
  const ids = draft.referrers(name, key).flatMap(({ kind, id }) => (kind === PARTS ? [id] : []));
  for (const id of ids.toSorted()) {
    const part = draft.findEntity(PARTS, id);
    const origin = part && repoOriginOf(part);
    if (!origin) continue;
    repos.set(origin.repo, origin);
    for (const pipeline of part.pipelines) pipelines.set(pipeline.toLowerCase(), origin);
    for (const variable of variablesIn(part)) variables.set(variable.toLowerCase(), origin);
  }
  const isOnServer = repos.size === 0 || value.pipelines.length > 0 || variablesIn(value).length > 0;
  return { all: [...(isOnServer ? [undefined] : []), ...repos.values()], pipelines, variables };
}

function variablesIn({ environmentVariables }: EntityNamed<'environments' | 'environmentParts'>): readonly string[] {
  return environmentVariables.map(({ name }) => name);
}

/** From the environment as the API shows it, with the parts that config repos define. */
function mergedJson({ name, pipelines, environment_variables, agents = [] }: JsonObject, origins: Origins, base: string): JsonOut {
  const withOrigin = (members: unknown, known: ReadonlyMap<string, RemoteOrigin>): JsonOut[] =>
    (Array.isArray(members) ? members : []).filter(isObject).map(({ _links, ...member }) => ({
      ...member,
      origin: originJson(known.get(String(member.name).toLowerCase()), base),
    }));
  return {
    name: String(name),
    origins: origins.all.map((origin) => originJson(origin, base)),
    pipelines: withOrigin(pipelines, origins.pipelines),
    agents,
    environment_variables: withOrigin(environment_variables, origins.variables),
  };
}

function originJson(origin: RemoteOrigin | undefined, base: string): JsonOut {
  if (!origin) return { ...SERVER_ORIGIN };
  const self = `${CONFIG_REPOS_PATH}/${encodeURIComponent(origin.repo)}`;
  const _links = links(base, { self, doc: docLink(CONFIG_REPOS), find: `${CONFIG_REPOS_PATH}/:id` });
  return { _links, type: 'config_repo', id: origin.repo };
}

function listJson(environments: readonly JsonOut[]): JsonOut {
  return { _embedded: { environments } };
}

const ORIGIN = objectSchema(
  { type: described({ enum: ['gocd', 'config_repo'] }, 'The configuration of the server, or a config repo.') },
  { title: 'Origin', others: { _links: LINKS, id: described(TEXT, 'The id of the config repo.') } },
);

function schemaOf(environments: Kind): JsonSchema {
  const { agents, environment_variables } = responseSchema(environments).properties!;
  const variable = environment_variables!.items!;
  return objectSchema(
    {
      name: described(TEXT, 'The name of the environment.'),
      origins: { type: 'array', items: ORIGIN, description: 'All places where it is defined.' },
      pipelines: {
        type: 'array',
        items: objectSchema({
          name: described(TEXT, 'The name of the pipeline.'),
          origin: described(ORIGIN, 'Where it is put into the environment.'),
        }),
        description: 'Its pipelines.',
      },
      agents: agents!,
      environment_variables: {
        type: 'array',
        items: {
          ...variable,
          properties: { ...variable.properties, origin: described(ORIGIN, 'Where the variable is set.') },
        },
        description: 'Its variables.',
      },
    },
    { title: 'Environment with origins' },
  );
}

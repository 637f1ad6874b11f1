// The common part of the routes about one config repo: their path, their permission, and the check that the repo exists.
import type { Config } from '../../../config/current.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import { guardsOf } from '../../engine/guards.ts';
import { versionsOf } from '../../engine/resource-route.ts';
import type { Answer, ApiRequest, Method, Route, RouteDescription } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';

export const CONFIG_REPOS_PATH = '/api/admin/config_repos';
export const CHAPTER = 'config-repos';
const UNKNOWN = 'gone';

interface About {
  readonly method: Method;
  /** Behind the address of the repo. */
  readonly path: string;
  /** Absent: those of config repos. */
  readonly version?: number;
  readonly description: Omit<RouteDescription, 'chapter' | 'parameters'>;
  handle(id: string, request: ApiRequest): Promise<Answer>;
}

export function configRepoKind(config: Config): Kind<'configRepos'> & Collection {
  return config.collection('configRepos');
}

export function configRepoRoute({ method, path, version, description, handle }: About, config: Config): Route {
  const kind = configRepoKind(config);
  const { view, administer } = guardsOf(kind, config);
  return {
    method,
    path: `${CONFIG_REPOS_PATH}/:id/${path}`,
    ...(version === undefined ? versionsOf(kind) : { version }),
    permission: kind.permission,
    guard: (method === 'GET' ? view : administer)!,
    description: {
      ...description,
      chapter: CHAPTER,
      parameters: { id: { description: 'The id of the config repo.', example: String(kind.example.id) } },
      failures: { 404: { example: { message: kind.messages.notFound(UNKNOWN) } }, ...description.failures },
    },
    handle: async (request) => {
      const id = request.params.id ?? '';
      mustExist(kind, id, config.of(kind.name).find(id));
      return handle(id, request);
    },
  };
}

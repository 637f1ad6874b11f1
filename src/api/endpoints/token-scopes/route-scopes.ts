// Which scope of an access token each route needs, worked out from the route itself. Pure.
import { SCOPE_RESOURCES } from '../../../access/may.ts';
import type { ScopeAction } from '../../../access/scopes/scope.ts';
import type { UsedFor } from '../../../access/scopes/token-use.ts';
import type { Kind } from '../../../shape/resource.ts';
import { OPEN, type Route, type RouteScope } from '../../engine/route.ts';
import { EVERYTHING, PIPELINES, type ResourceOf, resourcesByChapter } from './resources.ts';

type Needs = Partial<UsedFor & Pick<RouteScope, 'of'>>;

/** Needs that do not follow from the method, the permission and the chapter of a route. */
const EXCEPTIONS: Readonly<Record<string, Needs | typeof OPEN>> = {
  'GET /api/current_user': OPEN,
  'GET /is_backup_finished.json': OPEN,
  // Own settings, which have no name.
  'GET /api/dashboard/views': { resource: 'current_user', action: 'view', of: 'all' },
  'PUT /api/dashboard/views': { resource: 'current_user', action: 'operate', of: 'all' },
  // Only users who may run the pipeline are shown the options.
  'GET /api/pipelines/:pipeline_name/trigger_options': { action: 'operate' },
  // Whole pipelines, with all their settings, though they stand in the chapter of config repos.
  'GET /api/admin/export': { resource: PIPELINES, action: 'administer', of: 'all' },
  'GET /api/config/pipeline_groups': { resource: PIPELINES, of: 'some' },
  // It shows the secret.
  'GET /api/admin/config/server/webhook_secret': { action: 'administer' },
  'GET /api/admin/agent_registration': { action: 'administer' },
  // Beside messages it holds the log, which names users and their actions.
  'GET /api/admin/support_bundle': { resource: EVERYTHING, of: 'all' },
};

/** They show more than `view` elsewhere does: stored cipher texts, and the whole past of the configuration. */
const SHOWN_TO_ADMINISTRATORS: ReadonlySet<string> = new Set(['config-xml', 'config-repository']);

/** Gives every route the scope it needs. */
export function withScopes(routes: readonly Route[], kinds: readonly Kind[]): Route[] {
  const resourceOf = resourcesByChapter(kinds);
  const listPaths = new Set(kinds.filter(({ shape }) => shape === 'collection').map(({ path }) => path));
  const known = new Map<string, UsedFor>();
  return routes.map((route) => {
    const needs = needsOf(route, resourceOf, listPaths);
    if (needs === OPEN) return { ...route, scope: OPEN };
    const { resource, action, of } = needs;
    const use = known.getOrInsertComputed(`${resource}:${action}`, () => ({ resource, action }));
    return { ...route, scope: { what: use, of } };
  });
}

function needsOf(route: Route, resourceOf: ResourceOf, listPaths: ReadonlySet<string>): typeof OPEN | (UsedFor & Pick<RouteScope, 'of'>) {
  const { permission, guard, description } = route;
  const exception = EXCEPTIONS[`${route.method} ${route.path}`];
  const ofChapter = resourceOf(description.chapter, permission !== 'user');
  if (permission === 'anyone' || exception === OPEN) return OPEN;
  if (guard) {
    const { type, action } = guard;
    return { resource: SCOPE_RESOURCES[type], action, of: guard.on ? 'guarded' : 'some', ...exception };
  }
  if (ofChapter === undefined && !exception) return OPEN;
  const resource = ofChapter ?? EVERYTHING;
  return { resource, action: actionOf(route), of: ofWhat(route, resource, listPaths), ...exception };
}

function actionOf({ method, permission, description: { chapter } }: Route): ScopeAction {
  if (SHOWN_TO_ADMINISTRATORS.has(chapter)) return 'administer';
  if (method === 'GET') return 'view';
  return permission === 'user' ? 'operate' : 'administer';
}

function ofWhat({ method, path, permission }: Route, resource: string, listPaths: ReadonlySet<string>): RouteScope['of'] {
  if (resource === EVERYTHING) return 'all';
  const [parameter] = /(?<=:)\w+/.exec(path) ?? [];
  // Routes of pipelines for every user: the handler decides, pipeline by pipeline.
  if (resource === PIPELINES && permission === 'user' && parameter !== 'pipeline_name') return 'some';
  if (parameter !== undefined) return { parameter };
  return method === 'GET' && listPaths.has(path) ? 'some' : 'all';
}

// Finds routes by method and path.
import { PathTree } from '../../kit/path-tree.ts';
import type { Permission } from '../../shape/resource.ts';
import type { Route } from '../engine/route.ts';
import { Versions } from './headers/negotiate.ts';

export interface RouteMatch {
  readonly versions: Versions;
  readonly params: Readonly<Record<string, string | undefined>>;
}

export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

const PERMISSIONS: ReadonlySet<string | undefined> = new Set<Permission>(['anyone', 'user', 'anyAdmin', 'groupAdmin', 'admin']);
const MAX_PARAMETER_LENGTH = 1000;
const MAX_REMEMBERED = 1000;

export function routerOf(routes: readonly Route[]): FindRoute {
  const finders = new Map<string, (path: string) => RouteMatch | undefined>();
  for (const route of routes) {
    if (!PERMISSIONS.has(route.permission))
      throw new Error(`The route ${route.method} ${route.path} says nothing of the permission it needs.`);
  }
  const ofMethod = Map.groupBy(routes, (route): string => route.method);
  return (method, path) => {
    const candidates = ofMethod.get(method);
    return candidates && finders.getOrInsertComputed(method, () => remembering(treeOf(candidates)))(path);
  };
}

/** Made when the method is first asked for: a server that starts is asked for nothing yet. */
function treeOf(routes: readonly Route[]): PathTree<Versions> {
  const tree = new PathTree<Versions>(MAX_PARAMETER_LENGTH);
  for (const [path, versions] of Map.groupBy(routes, (route) => route.path)) tree.add(path, new Versions(versions));
  return tree;
}

/** Clients send requests to the same addresses again and again. */
function remembering(tree: PathTree<Versions>): (path: string) => RouteMatch | undefined {
  const known = new Map<string, RouteMatch>();
  return (path) => {
    const remembered = known.get(path);
    if (remembered) return remembered;
    const found = tree.find(path);
    if (!found) return undefined;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const route = { versions: found.value, params: found.params };
    known.set(path, route);
    return route;
  };
}

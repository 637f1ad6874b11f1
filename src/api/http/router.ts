// Finds routes by method and path.
import { PathTree } from '../../kit/path-tree.ts';
import type { Permission } from '../../shape/resource.ts';
import type { Route } from '../engine/route.ts';
import { Versions } from './negotiate.ts';

export interface Found {
  readonly versions: Versions;
  readonly params: Readonly<Record<string, string | undefined>>;
}

export type FindRoute = (method: string, path: string) => Found | undefined;

const PERMISSIONS: ReadonlySet<string | undefined> = new Set<Permission>(['anyone', 'user', 'anyAdmin', 'groupAdmin', 'admin']);
const LONGEST_PARAMETER = 1000;
const MOST_REMEMBERED = 1000;

export function routerOf(routes: readonly Route[]): FindRoute {
  const trees = new Map<string, PathTree<Versions>>();
  for (const route of routes) {
    if (!PERMISSIONS.has(route.permission))
      throw new Error(`The route ${route.method} ${route.path} says nothing of the permission it needs.`);
  }
  for (const [method, those] of Map.groupBy(routes, (route) => route.method)) {
    const tree = new PathTree<Versions>(LONGEST_PARAMETER);
    for (const [path, versions] of Map.groupBy(those, (route) => route.path)) tree.add(path, new Versions(versions));
    trees.set(method, tree);
  }
  const find: FindRoute = (method, path) => {
    const found = trees.get(method)?.find(path);
    return found && { versions: found.value, params: found.params };
  };
  // Clients ask for the same things again and again.
  const read = new Map<string, Found>();
  return (method, path) => {
    if (method !== 'GET') return find(method, path);
    const known = read.get(path);
    if (known) return known;
    const found = find(method, path);
    if (read.size >= MOST_REMEMBERED) read.clear();
    if (found) read.set(path, found);
    return found;
  };
}

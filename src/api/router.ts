// Finds routes by method and path.
import findMyWay from 'find-my-way';
import type { Permission } from '../shape/resource.ts';
import { Versions } from './negotiate.ts';
import type { Route } from './route.ts';

export interface Found {
  readonly versions: Versions;
  readonly params: Readonly<Record<string, string | undefined>>;
}

export type FindRoute = (method: string, path: string) => Found | undefined;

const PERMISSIONS: ReadonlySet<string | undefined> = new Set<Permission>(['anyone', 'user', 'anyAdmin', 'groupAdmin', 'admin']);
const LONGEST_PARAMETER = 1000;
const MOST_REMEMBERED = 1000;

export function routerOf(routes: readonly Route[]): FindRoute {
  for (const route of routes) {
    if (!PERMISSIONS.has(route.permission))
      throw new Error(`The route ${route.method} ${route.path} says nothing of the permission it needs.`);
  }
  const byMethod = Map.groupBy(routes, ({ method }) => method as string);
  // Each is made when it is first used: together they would take a tenth of the time of a start.
  const trees = new Map<string, Tree>();
  const find: FindRoute = (method, path) => {
    const tree = trees.getOrInsertComputed(method, () => treeOf(byMethod.get(method) ?? []));
    const found = tree.find('GET', path);
    return found?.store instanceof Versions ? { versions: found.store, params: found.params } : undefined;
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

type Tree = ReturnType<typeof findMyWay>;

/** The routes of one method. */
function treeOf(routes: readonly Route[]): Tree {
  const tree = findMyWay({ ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER, onBadUrl: () => {} });
  for (const [path, versions] of Map.groupBy(routes, (route) => route.path)) tree.on('GET', path, () => {}, new Versions(versions));
  return tree;
}

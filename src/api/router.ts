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
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER, onBadUrl: () => {} });
  for (const route of routes) {
    if (!PERMISSIONS.has(route.permission))
      throw new Error(`The route ${route.method} ${route.path} says nothing of the permission it needs.`);
  }
  for (const [address, versions] of Map.groupBy(routes, (route) => `${route.method} ${route.path}`)) {
    const [method, path] = address.split(' ') as [Route['method'], string];
    router.on(method, path, () => {}, new Versions(versions));
  }
  const find: FindRoute = (method, path) => {
    const found = router.find(method as Route['method'], path);
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

// One route of a resource: its particulars, on top of the defaults from its kind.
import type { Kind } from '../../shape/resource.ts';
import type { Guard, Method, Route, RouteDescription } from './route.ts';

/** The members that are particular to one route; the rest comes from its kind. */
export interface Particulars extends Omit<RouteDescription, 'chapter'> {
  readonly path?: string;
  readonly guard?: Guard | undefined;
  readonly before?: Route['before'] | undefined;
  readonly handle: Route['handle'];
}

export function resourceRoute(kind: Kind, method: Method, { path = kind.path, guard, before, handle, ...particulars }: Particulars): Route {
  const { permission, doc: chapter } = kind;
  const description = { chapter, ...particulars, ...(method !== 'GET' && { changes: 'configuration' as const }) };
  const logsNothing = method === 'GET';
  return {
    method,
    path,
    ...versionsOf(kind),
    permission,
    ...(guard && { guard }),
    ...(logsNothing && { logsNothing }),
    description,
    ...(before && { before }),
    handle,
  };
}

/** The versions of the routes of a kind. */
export function versionsOf({ version, alsoVersions }: Kind): Pick<Route, 'version' | 'alsoVersions'> {
  return { version, ...(alsoVersions && { alsoVersions }) };
}

/** The title inside a sentence; an abbreviation stays as it is. */
export function nounOf({ title }: Pick<Kind, 'title'>): string {
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

export function pluralOf(noun: string): string {
  if (noun.endsWith('s')) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

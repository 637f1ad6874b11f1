// Which scope of an access token a request needs, and what is told when it is not there. Derived from the routes when they are joined.
import type { Identity } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import { ALL, type NeededScope, scopeText } from '../../access/scopes/scope.ts';
import { Refusal } from '../../kit/refusal.ts';
import { type ApiRequest, OPEN, type Route, type RouteScope, type Subject } from './route.ts';

export function missingScope(scope: string): string {
  return `This access token lacks the scope ${scope}. Use one that has it: scopes are chosen when a token is created.`;
}

/** Refuses a request that is not in the scopes of its token. Returns the name of what it is about. */
export function scopedName(access: Access, route: Route, request: ApiRequest): string {
  const { scope } = route;
  if (scope === OPEN) return ALL;
  // One that nobody has thought of is for tokens without scopes only.
  if (!scope) throw new Refusal('forbidden', missingScope(`${ALL}:administer:${ALL}`));
  const { resource, within } = subjectIn(route, scope, request);
  const name = resource || ALL;
  const needed = { ...scope.what, name };
  const isMet =
    scope.of === 'some' ? access.scopesConcern(request.identity, scope.what) : access.isInScope(request.identity, needed, within);
  if (!isMet) throw new Refusal('forbidden', missingScope(scopeText(needed)));
  return name;
}

/** For handlers that do more than their route says. */
export function mustBeInScope(access: Access, identity: Identity, needed: NeededScope): void {
  if (!access.isInScope(identity, needed)) throw new Refusal('forbidden', missingScope(scopeText(needed)));
}

/** Called when a request has succeeded. */
export function noteUse({ use }: Pick<Identity, 'use'>, { scope }: Pick<Route, 'scope'>, name: string): void {
  if (scope && scope !== OPEN) use?.note(scope.what, name);
}

function subjectIn({ guard }: Route, { of }: RouteScope, request: ApiRequest): Subject {
  if (of === 'guarded') return guard!.on!(request);
  return { resource: typeof of === 'object' ? (request.params[of.parameter] ?? '') : '' };
}

// The scope of an access token that a request needs, and the refusal when it is missing. Derived from the routes when they are joined.
import type { Identity } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import { ALL, type NeededScope, scopeText } from '../../access/scopes/scope.ts';
import { Refusal } from '../../kit/refusal.ts';
import { type ApiRequest, OPEN, type Route, type RouteScope, type Subject } from './route.ts';

function missingScope(scope: string): string {
  return `This access token lacks the scope ${scope}. Use one that has it: scopes are chosen when a token is created.`;
}

/** Refuses a request that is not in the scopes of its token. */
export function mustHaveScope(access: Access, route: Route, request: ApiRequest): void {
  const { scope } = route;
  const { identity } = request;
  if (scope === OPEN || !identity.scopes) return;
  // A route without a declared scope is closed to tokens with scopes.
  if (!scope) throw new Refusal('forbidden', missingScope(`${ALL}:administer:${ALL}`));
  const { resource, within } = subjectIn(route, scope, request);
  const needed = { ...scope.what, name: resource || ALL };
  const isMet = scope.of === 'some' ? access.scopesConcern(identity, scope.what) : access.isInScope(identity, needed, within);
  if (!isMet) throw new Refusal('forbidden', missingScope(scopeText(needed)));
}

/** For handlers that do more than their route says. */
export function mustBeInScope(access: Access, identity: Identity, needed: NeededScope): void {
  if (!access.isInScope(identity, needed)) throw new Refusal('forbidden', missingScope(scopeText(needed)));
}

/** Notes the scope that an access token was used for, when its request has succeeded. */
export function noteUse(route: Route, request: ApiRequest): void {
  const { scope } = route;
  const { use } = request.identity;
  if (use && scope && scope !== OPEN) use.note(scope.what, nameIn(route, scope, request));
}

/** The guard does not look at bodies of administrators, so the name may be missing. A use without a name counts for all. */
function nameIn(route: Route, scope: RouteScope, request: ApiRequest): string {
  try {
    return subjectIn(route, scope, request).resource || ALL;
  } catch (failure) {
    if (failure instanceof Refusal) return ALL;
    throw failure;
  }
}

function subjectIn({ guard }: Route, { of }: RouteScope, request: ApiRequest): Subject {
  if (of === 'guarded') return guard!.on!(request);
  return { resource: typeof of === 'object' ? (request.params[of.parameter] ?? '') : '' };
}

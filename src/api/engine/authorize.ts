// Refuses requests that the user may not make, in the words of GoCD.

import { type Identity, withoutScopes } from '../../access/identity.ts';
import type { Access } from '../../access/may.ts';
import type { AccessRequest } from '../../access/policy.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Permission, PolicyType } from '../../shape/resource.ts';
import type { ApiRequest, Route } from './route.ts';
import { mustHaveScope } from './route-scope.ts';

/** The message to users who may not see or operate a pipeline. */
export const NOT_THIS_ACTION = 'You are not authorized to perform this action.';
/** The message of routes for administrators. */
export const NOT_THIS_RESOURCE = 'You are not authorized to access this resource!';

/** Rights to these come from groups and templates, not from role policies. */
const BY_GROUP: ReadonlySet<PolicyType> = new Set(['pipeline_group', 'pipeline', 'template']);

export function authorize(access: Access, route: Route, request: ApiRequest): void {
  const { identity } = request;
  if (identity.scopes) mustHaveScope(access, route, request);
  authorizeUser(access, route, request, withoutScopes(identity));
}

function authorizeUser(access: Access, route: Route, request: ApiRequest, identity: Identity): void {
  const { permission, guard } = route;
  if (!guard) {
    if (access.passes(identity, permission)) return;
    throw route.notAllowed?.(identity) ?? new Refusal('forbidden', routeForbidden(route));
  }
  if (access.isAdmin(identity)) return;
  if (!guard.on) {
    if (access.mayHaveAnyOf(identity, permission, guard.type)) return;
    throw new Refusal('forbidden', routeForbidden(route));
  }
  const { missing, ...subject } = guard.on(request);
  const question = { type: guard.type, action: guard.action, ...subject };
  // Users who may not see a thing get the same refusal if it does not exist, unless they may create it: a taken name reveals it anyway.
  if (missing && access.mayCreate(identity, question)) throw missing;
  mayOrRefuse(access, identity, permission, question);
  if (missing) throw missing;
}

export function mayOrRefuse(access: Access, identity: Identity, permission: Permission, question: AccessRequest): void {
  if (!access.may(identity, permission, question)) throw new Refusal('forbidden', resourceForbidden(identity.displayName, question));
}

/** The message for users who may not use a route on any resource. */
export function routeForbidden(route: Route): string {
  return isForAdmins(route) ? NOT_THIS_RESOURCE : NOT_THIS_ACTION;
}

/** Whether only administrators learn anything about the address, even which versions it has. */
export function isForAdmins({ permission, guard, path }: Route): boolean {
  return !guard && permission === 'admin' && path.startsWith('/api/admin/');
}

/** The message for users who may not do this with one thing. */
export function resourceForbidden(displayName: string, { type, action, resource }: Omit<AccessRequest, 'within'>): string {
  return BY_GROUP.has(type) ? NOT_THIS_ACTION : `User '${displayName}' does not have permissions to ${action} '${resource}' ${type}(s).`;
}

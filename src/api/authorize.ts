// Refuses what somebody may not do, in the words of the dialect.

import type { Identity } from '../access/identity.ts';
import type { Access } from '../access/may.ts';
import type { Question } from '../access/policy.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Permission, PolicyType } from '../shape/resource.ts';
import type { ApiRequest, Route } from './route.ts';

const NOT_THIS_ACTION = 'You are not authorized to perform this action.';
const NOT_THIS_RESOURCE = 'You are not authorized to access this resource!';

/** Rights to these come from groups and templates, not from role policies. */
const BY_GROUP: ReadonlySet<PolicyType> = new Set(['pipeline_group', 'pipeline', 'template']);

export function authorize(access: Access, { permission, guard, path }: Route, request: ApiRequest): void {
  const { identity } = request;
  if (!guard) {
    if (access.passes(identity, permission)) return;
    throw new Refusal('forbidden', permission === 'admin' && path.startsWith('/api/admin/') ? NOT_THIS_RESOURCE : NOT_THIS_ACTION);
  }
  if (access.isAdmin(identity)) return;
  if (!guard.on) {
    if (access.maySeek(identity, permission, guard.type)) return;
    throw new Refusal('forbidden', NOT_THIS_ACTION);
  }
  mayOrRefuse(access, identity, permission, { type: guard.type, action: guard.action, ...guard.on(request) });
}

export function mayOrRefuse(access: Access, identity: Identity, permission: Permission, question: Question): void {
  if (access.may(identity, permission, question)) return;
  const { type, action, resource } = question;
  const byPolicy = `User '${identity.displayName}' does not have permissions to ${action} '${resource}' ${type}(s).`;
  throw new Refusal('forbidden', BY_GROUP.has(type) ? NOT_THIS_ACTION : byPolicy);
}

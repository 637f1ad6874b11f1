// The users that may use a route, in words: those that its permission and its guard let in.
import type { PolicyType } from '../../shape/resource.ts';
import { type Guard, OPEN, type Route } from '../engine/route.ts';

const ADMINS = 'administrators';
const GROUP_ADMINS = 'administrators of any pipeline group';

const BY_PERMISSION: Readonly<Record<Route['permission'], readonly string[]>> = {
  anyone: ['anyone, without a login'],
  user: ['every user'],
  anyAdmin: ['administrators of anything: the server, a pipeline group, a template'],
  groupAdmin: [ADMINS, GROUP_ADMINS],
  admin: [ADMINS],
};

export function permissionText({ permission, guard, description }: Route): string {
  if (description.callers !== undefined) return description.callers;
  if (!guard) return listed(BY_PERMISSION[permission]);
  if (guard.isForAdmins) return ADMINS;
  return guard.on ? permissionTextForOne(permission, guard) : permissionTextForList(permission, guard.type);
}

/** The scope that an access token needs: `{name}` stands for the name in the request, `…` for any pattern. */
export function scopeText({ scope }: Route): string {
  if (scope === OPEN) return 'none';
  if (!scope) return '*:administer:*';
  const { what, of } = scope;
  const names = { all: '*', some: '…', guarded: '{name}' };
  return `${what.resource}:${what.action}:${typeof of === 'object' ? `{${of.parameter}}` : names[of]}`;
}

function permissionTextForOne(permission: Route['permission'], { type, action }: Guard): string {
  switch (type) {
    case 'pipeline_group':
      return listed([ADMINS, 'the administrators of the pipeline group']);
    case 'pipeline':
      return listed([ADMINS, 'the administrators of its pipeline group']);
    case 'template':
      return action === 'administer'
        ? listed([ADMINS, 'the administrators of the template'])
        : listed([ADMINS, 'those the template names', `unless it says otherwise ${GROUP_ADMINS}`]);
    default: {
      const allowed = `users whose roles allow them to ${action} this ${wordFor(type)}`;
      return `${listed([...BY_PERMISSION[permission], allowed])}; where one of their roles denies it, administrators only`;
    }
  }
}

function permissionTextForList(permission: Route['permission'], type: PolicyType): string {
  switch (type) {
    case 'pipeline_group':
    case 'pipeline':
      return `${listed([ADMINS, GROUP_ADMINS])}; each sees those they administer`;
    case 'template':
      return `${listed([ADMINS, 'users who may see or administer any template'])}; each sees those`;
    default:
      return `${listed([...BY_PERMISSION[permission], `users whose roles have a policy on any ${wordFor(type)}`])}; each sees those they may`;
  }
}

function wordFor(type: PolicyType): string {
  return type.replaceAll('_', ' ');
}

/** `a`, `a and b`, `a, b and c` */
function listed(groups: readonly string[]): string {
  return groups.length < 2 ? groups.join() : `${groups.slice(0, -1).join(', ')} and ${groups.at(-1)}`;
}

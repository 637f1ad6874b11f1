// The users and roles that approve a stage must be allowed to operate the group of the pipeline.
import type { Problem } from '../../../shape/problems/problem.ts';
import type { Lookup } from '../../../shape/resource.ts';
import type { Members } from '../../parts/members.ts';
import type { Stage } from '../stages.ts';

export interface RightsView {
  readonly pipelineGroups: Lookup<{ readonly authorization: { readonly operate: Members; readonly admins: Members } }>;
  /** The roles. The members of a role that a plugin decides about are unknown here. */
  readonly roles: Lookup<{ readonly attributes: { readonly users: readonly string[] } | { readonly authConfigId: string } }>;
  readonly systemAdmins: Lookup<Members>;
}

export function approvalProblems(stages: readonly Stage[], group: string, view: RightsView): Problem[] {
  if (!stages.some(({ approval }) => approval.authorization.users.length + approval.authorization.roles.length > 0)) return [];
  const rights = view.pipelineGroups.get(group)?.authorization;
  // A group that names no operators may be operated by all users.
  if (!rights || rights.operate.users.length + rights.operate.roles.length === 0) return [];
  const operators = operatorsOf([rights.operate, rights.admins, ...systemAdmins(view)], view);
  const not = (who: string) => `${who} who is not authorized to operate pipeline group \`${group}\` can not be authorized to approve stage`;
  return stages.flatMap(({ approval }, index) => {
    const at = (list: string) => ['stages', index, 'approval', 'authorization', list];
    const { users, roles } = approval.authorization;
    return [
      ...users
        .filter((user) => user.trim() !== '' && !operators.isUser(user))
        .map((user) => ({ at: at('users'), message: not(`User "${user}"`) })),
      // A role that does not exist is reported as such.
      ...roles
        .filter((role) => view.roles.has(role) && !operators.isRole(role))
        .map((role) => ({ at: at('roles'), message: not(`Role "${role}"`) })),
    ];
  });
}

function systemAdmins(view: RightsView): Members[] {
  const admins = view.systemAdmins.get('');
  return admins ? [admins] : [];
}

function operatorsOf(lists: readonly Members[], view: RightsView): { isUser(name: string): boolean; isRole(name: string): boolean } {
  const roles = new Set(lists.flatMap((list) => list.roles.map(lowerCase)));
  const users = new Set(lists.flatMap((list) => list.users.map(lowerCase)));
  let isAnybody = false;
  for (const role of roles) {
    const { attributes } = view.roles.get(role) ?? {};
    const members = attributes && 'users' in attributes ? attributes.users : undefined;
    // The members of a plugin's role are known only when they log in.
    if (members) for (const member of members) users.add(lowerCase(member));
    else isAnybody ||= view.roles.has(role);
  }
  return { isUser: (name) => isAnybody || users.has(lowerCase(name)), isRole: (name) => roles.has(lowerCase(name)) };
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}

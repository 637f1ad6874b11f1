// Users and roles by name.
import type { JsonObject } from '../../../shape/json/json.ts';
import { one } from '../form/children.ts';
import { element } from '../form/element.ts';
import type { Part } from '../form/part.ts';
import { texts } from '../form/texts.ts';

const users = texts('users', 'user', { isTrimmed: true });
const roles = texts('roles', 'role');

const NO_MEMBERS = { users: [], roles: [] };

export function hasNoMembers(json: JsonObject): boolean {
  return [json.users, json.roles].every((names) => (names as readonly string[]).length === 0);
}

/** Read in any order, written users first. */
export function usersAndRoles({ isRequired = false } = {}): Part {
  return {
    children: ['user', 'role'],
    isList: true,
    isRequired,
    writeChildren: (json, indent) => users.writeChildren!(json, indent) + roles.writeChildren!(json, indent),
    read: (...args) => {
      users.read(...args);
      roles.read(...args);
    },
  };
}

/** The users and roles that have a right; left out when there are none. */
export function permissionHolders(name: string, member: string, { isRequired = false } = {}): Part {
  return one(member, element(name, [usersAndRoles({ isRequired })]), { absent: NO_MEMBERS });
}

// System administrators: the users and roles that may do everything.
import type { Field } from '../../shape/field.ts';
import { texts } from '../../shape/fields.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { type Reading, readObject, readTexts } from '../../shape/json/reading.ts';
import { normalLogin } from '../../shape/login-name.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';
import { eachOnce, loginProblems, logins, rolesNamed } from '../parts/members.ts';

interface SystemAdmins {
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

const addAndRemove = (what: string) => ({
  type: 'object',
  description: `Changes of the ${what}.`,
  properties: {
    add: { type: 'array', items: { type: 'string' }, description: `The ${what} to add.` },
    remove: { type: 'array', items: { type: 'string' }, description: `The ${what} to remove.` },
  },
});

export const systemAdmins = singleton({
  title: 'System administrators',
  about: 'The users and roles that may do everything. There is always a user among them who can log in.',
  path: '/api/admin/security/system_admins',
  version: 2,
  permission: 'admin',
  doc: 'system-admins',
  links: ['doc', 'self'],
  verbs: ['PUT', 'PATCH'],
  needsIfMatch: true,
  fields: {
    roles: withoutRepeats(texts({ refersTo: 'roles', description: 'Names of roles.' })),
    users: withoutRepeats(logins('Login names.')),
  },
  refersTo: (admins) => rolesNamed(admins, []),
  visibleParts: (admins) => admins,
  linkRules: { roles: { problems: () => [], isTransitive: true } },
  rules: [
    ({ users, roles }) =>
      problemUnless(
        users.length + roles.length > 0,
        'users',
        'There must be at least one system administrator. Name one in users or roles.',
      ),
    ({ users }) => blankProblems(users, 'users', 'A login name must not be blank.'),
    ({ users }) =>
      loginProblems(
        users.filter((user) => user.trim() !== ''),
        ['users'],
      ),
    ({ roles }) => blankProblems(roles, 'roles', 'The name of a role must not be blank.'),
  ],
  patch: {
    request: {
      type: 'object',
      properties: {
        operations: {
          type: 'object',
          description: 'What to change.',
          properties: { users: addAndRemove('users'), roles: addAndRemove('roles') },
        },
      },
    },
    example: { operations: { users: { add: ['jez'], remove: [] } } },
    apply: patchAdmins,
  },
  messages: singletonMessages('System administrators', { isPlural: true }),
  example: { roles: [], users: ['admin'] },
});

function withoutRepeats(names: Field<readonly string[]>): Field<readonly string[]> {
  return { ...names, read: (cursor, name) => eachOnce(names.read(cursor, name)) };
}

function blankProblems(given: readonly string[], at: string, message: string): Problem[] {
  return problemUnless(!given.some((name) => name.trim() === ''), at, message);
}

function patchAdmins(current: SystemAdmins, body: JsonObject, reading: Reading): SystemAdmins {
  const operations = readObject({ holder: body, path: [], reading }, 'operations') ?? {};
  const patched = (part: 'users' | 'roles') => {
    const holder = readObject({ holder: operations, path: ['operations'], reading }, part) ?? {};
    const cursor = { holder, path: [part], reading };
    const removed = new Set((readTexts(cursor, 'remove') ?? []).map(lowerCase));
    const kept = current[part].filter((name) => !removed.has(lowerCase(name)));
    const added = readTexts(cursor, 'add') ?? [];
    return eachOnce([...kept, ...(part === 'users' ? added.map(normalLogin) : added)]);
  };
  return { roles: patched('roles'), users: patched('users') };
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}

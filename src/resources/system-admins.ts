// System administrators: the users and roles that may do everything.
import { texts } from '../shape/fields.ts';
import type { JsonObject } from '../shape/json.ts';
import { singletonMessages } from '../shape/messages.ts';
import { must } from '../shape/problem.ts';
import { type Reading, readObject, readTexts } from '../shape/reading.ts';
import { singleton } from '../shape/resource.ts';
import { rolesNamed } from './parts/members.ts';

interface SystemAdmins {
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

const addAndRemove = {
  type: 'object',
  properties: { add: { type: 'array', items: { type: 'string' } }, remove: { type: 'array', items: { type: 'string' } } },
};

export const systemAdmins = singleton({
  title: 'System administrators',
  about: 'The users and roles that may do everything. There is always at least one user among them.',
  path: '/api/admin/security/system_admins',
  version: 2,
  since: '19.2.0',
  permission: 'admin',
  doc: 'system-admins',
  links: ['doc', 'self'],
  verbs: ['PUT', 'PATCH'],
  needsIfMatch: true,
  fields: {
    roles: texts({ description: 'Names of roles.' }),
    users: texts({ description: 'Login names.' }),
  },
  refersTo: (admins) => rolesNamed(admins, []),
  rules: [({ users }) => must(users.length > 0, 'users', 'There must be at least one system administrator. Name one in users.')],
  patch: {
    request: { type: 'object', properties: { operations: { type: 'object', properties: { users: addAndRemove, roles: addAndRemove } } } },
    example: { operations: { users: { add: ['jez'], remove: [] } } },
    apply: patchAdmins,
  },
  messages: singletonMessages('System administrators'),
  example: { roles: [], users: ['admin'] },
});

function patchAdmins(current: SystemAdmins, body: JsonObject, reading: Reading): SystemAdmins {
  const operations = readObject({ holder: body, path: [], reading }, 'operations') ?? {};
  const patched = (part: 'users' | 'roles') => {
    const holder = readObject({ holder: operations, path: ['operations'], reading }, part) ?? {};
    const place = { holder, path: ['operations', part], reading };
    const removed = new Set((readTexts(place, 'remove') ?? []).map(lowerCase));
    const kept = current[part].filter((name) => !removed.has(lowerCase(name)));
    const known = new Set(kept.map(lowerCase));
    return [...kept, ...(readTexts(place, 'add') ?? []).filter((name) => !known.has(lowerCase(name)))];
  };
  return { roles: patched('roles'), users: patched('users') };
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}

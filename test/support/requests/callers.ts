// People of every kind that permissions distinguish, each ready to send requests to a test server.
import assert from 'node:assert/strict';
import { setQuickPassword } from '../server/quick-login.ts';
import { basic, type Reply, TestServer } from '../server/server.ts';

export const PASSWORD = 'open sesame';
export const POLICY_TYPES = ['environment', 'config_repo', 'cluster_profile', 'elastic_agent_profile'] as const;
export type PolicyType = (typeof POLICY_TYPES)[number];
export type Action = 'view' | 'administer';

export const CALLERS = [
  'anonymous',
  'disabled user',
  'plain user',
  'plain user with a token',
  'group admin',
  'group viewer',
  'group viewer by role',
  'group operator',
  'group operator by role',
  'stage approver',
  'stage approver by role',
  'template admin',
  'view environment',
  'administer environment',
  'view config_repo',
  'administer config_repo',
  'view cluster_profile',
  'administer cluster_profile',
  'view elastic_agent_profile',
  'administer elastic_agent_profile',
  'denied user',
  'system admin',
  'system admin with a token',
  'system admin by role',
] as const;
export type Caller = (typeof CALLERS)[number];

export function startServer(): Promise<TestServer> {
  return TestServer.start();
}

/** Writes a user into a password file; the server knows them from their first login on. */
export function givePassword(server: TestServer, login: string, { password = PASSWORD, file = 'password.properties' } = {}): string {
  setQuickPassword(server.dataDir, login, password, file);
  return basic(login, password);
}

/** Adds a user who can log in, and returns their Authorization header. */
export async function addUser(server: TestServer, login: string): Promise<string> {
  const as = givePassword(server, login);
  accepted(await server.post('/api/users', { login_name: login }));
  return as;
}

export async function tokenOf(server: TestServer, as: string): Promise<string> {
  const { json } = accepted(await server.post('/api/current_user/access_tokens', { description: 'for tests' }, { as }));
  return `Bearer ${json.token}`;
}

/** Creates a role from directives written as `allow view environment prod-*`. */
export async function addRole(server: TestServer, name: string, users: readonly string[], ...directives: readonly string[]): Promise<void> {
  accepted(await server.post('/api/admin/security/roles', roleBody(name, users, ...directives)));
}

export function roleBody(name: string, users: readonly string[], ...directives: readonly string[]): object {
  const policy = directives.map((directive) => {
    const [permission, action, type, resource] = directive.split(' ');
    return { permission, action, type, resource };
  });
  return { name, type: 'svc', policy, attributes: { users } };
}

export function accepted(reply: Reply): Reply {
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

export function loginOf(caller: Caller): string {
  return caller.replaceAll(' ', '-').replace('-with-a-token', '');
}

/** The approval of a stage that the approvers among the callers may start. */
export const APPROVAL = { type: 'manual', authorization: { users: [loginOf('stage approver')], roles: ['approvers'] } };

/** Makes all callers known to the server, and their group and template with them. */
export async function createCallers(
  server: TestServer,
  { group, template }: { readonly group: string; readonly template: Readonly<Record<string, unknown>> },
): Promise<Readonly<Record<Caller, string>>> {
  const known = CALLERS.filter((caller) => caller !== 'anonymous' && !caller.endsWith('token'));
  const headers = Object.fromEntries(await Promise.all(known.map(async (caller) => [caller, await addUser(server, loginOf(caller))])));
  for (const type of POLICY_TYPES) {
    for (const action of ['view', 'administer'] as const) {
      await addRole(server, `${action}s-${type}`, [loginOf(`${action} ${type}`)], `allow ${action} ${type} *`);
    }
  }
  await addRole(server, 'allowed-everything', [loginOf('denied user')], 'allow administer * *');
  await addRole(server, 'denied-everything', [loginOf('denied user')], 'deny administer * *');
  await addRole(server, 'admins', [loginOf('system admin by role')]);
  await addRole(server, 'viewers', [loginOf('group viewer by role')]);
  await addRole(server, 'operators', [loginOf('group operator by role')]);
  await addRole(server, 'approvers', [loginOf('stage approver by role')]);
  const admins = { add: [loginOf('system admin')] };
  accepted(await server.patch('/api/admin/security/system_admins', { operations: { users: admins, roles: { add: ['admins'] } } }));
  const authorization = {
    view: { users: [loginOf('group viewer')], roles: ['viewers'] },
    // Approvers of a stage must have the right to operate the group.
    operate: { users: [loginOf('group operator'), loginOf('stage approver')], roles: ['operators', 'approvers'] },
    admins: { users: [loginOf('group admin')] },
  };
  accepted(await server.post('/api/admin/pipeline_groups', { name: group, authorization }));
  const templates = '/api/admin/templates';
  accepted(await server.post(templates, template));
  accepted(await server.put(`${templates}/${template.name}/authorization`, { admin: { users: [loginOf('template admin')] } }, '*'));
  accepted(await server.patch(`/api/users/${loginOf('disabled user')}`, { enabled: false }));
  return {
    ...(headers as Record<Caller, string>),
    anonymous: '',
    'plain user with a token': await tokenOf(server, headers['plain user']),
    'system admin with a token': await tokenOf(server, headers['system admin']),
  };
}

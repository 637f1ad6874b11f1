// Logins at GitHub and GitLab, against a server that answers as both document it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { ADMIN_TOKEN, HostingService, OAUTH_ID, OAUTH_SECRET } from '../../support/services/github-and-gitlab.ts';
import { WebVisitor } from '../../support/services/web-visitor.ts';

const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const GITHUB = 'cd.go.authorization.github';
const GITLAB = 'cd.go.authorization.gitlab';

let server: TestServer;
let service: HostingService;
before(async () => {
  server = await TestServer.start();
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`many-${index}`, ['all']]));
  service = await HostingService.start({
    octo: { id: 11, name: 'Octo Cat', email: 'octo@example.org', organizations: { ...many, Acme: ['Site Reliability', 'docs'] } },
    guest: { id: 12, name: 'Guest', email: 'guest@example.org', organizations: { Elsewhere: [] } },
    lab: { id: 21, name: 'Lab Rat', email: 'lab@example.org', groups: { 'acme/infra': 40, acme: 20 }, projects: { 'acme/shop': 30 } },
    tester: { id: 22, name: 'Tester', email: 'tester@example.org', groups: { acme: 30 } },
  });
  accepted(await server.post(AUTH_CONFIGS, github()));
  accepted(await server.post(AUTH_CONFIGS, gitlab()));
  for (const [name, id, properties] of ROLES) accepted(await server.post('/api/admin/security/roles', role(name, id, properties)));
});
after(async () => {
  await server?.stop();
  await service?.stop();
});

const ROLES = [
  ['of-organization', 'hub', { Organizations: 'nobody, acme' }],
  ['of-team', 'hub', { Teams: 'acme:site-reliability,writers' }],
  ['of-other-team', 'hub', { Teams: 'acme:writers' }],
  ['of-user', 'hub', { Users: 'OCTO' }],
  ['of-group', 'lab', { Groups: 'acme/infra' }],
  ['of-maintainers', 'lab', { Groups: 'acme/infra:owner,maintainer' }],
  ['of-owners', 'lab', { Groups: 'acme/infra:owner' }],
  ['of-project', 'lab', { Projects: 'acme/shop:developer' }],
] as const;

const propertiesOf = (settings: Readonly<Record<string, string>>) => Object.entries(settings).map(([key, value]) => ({ key, value }));
const role = (name: string, auth_config_id: string, settings: Readonly<Record<string, string>>) => ({
  name,
  type: 'plugin',
  policy: [],
  attributes: { auth_config_id, properties: propertiesOf(settings) },
});

function github(changes: Readonly<Record<string, string>> = {}) {
  const settings = {
    ClientId: OAUTH_ID,
    ClientSecret: OAUTH_SECRET,
    AuthenticateWith: 'GitHubEnterprise',
    GitHubEnterpriseUrl: service.url,
    AllowedOrganizations: 'acme, other',
    ...changes,
  };
  return { id: 'hub', plugin_id: GITHUB, allow_only_known_users_to_login: false, properties: propertiesOf(settings) };
}

function gitlab(changes: Readonly<Record<string, string>> = {}) {
  const settings = {
    ApplicationId: OAUTH_ID,
    ClientSecret: OAUTH_SECRET,
    AuthenticateWith: 'GitLabEnterprise',
    GitLabEnterpriseUrl: service.url,
    AllowedGroups: 'acme',
    ...changes,
  };
  return { id: 'lab', plugin_id: GITLAB, allow_only_known_users_to_login: false, properties: propertiesOf(settings) };
}

async function logIn(source: string, login: string | undefined, visitor = new WebVisitor()): Promise<URL> {
  service.visitor = login;
  return (await visitor.follow(`${server.url}/auth/login/${source}`, (url) => url.pathname === '/auth/login')).location!;
}

const failureIn = (page: URL) => page.searchParams.get('failure');
const rolesOf = async (login: string) =>
  accepted(await server.get(`/api/users/${login}`))
    .json.roles.map(({ name }: { name: string }) => name)
    .toSorted();
const statusOf = async (visitor: WebVisitor) =>
  (
    await server.get('/api/session', {
      as: '',
      headers: { Cookie: `slipway_session=${visitor.cookies(server.url).get('slipway_session')}` },
    })
  ).status;

describe('GitHub', () => {
  test('lets in members of an organization, with roles by organization, team and name', async () => {
    const visitor = new WebVisitor();
    assert.equal((await logIn('hub', 'octo', visitor)).searchParams.get('signed_in'), 'true');
    assert.equal(await statusOf(visitor), 200);
    const { json } = accepted(await server.get('/api/users/octo'));
    assert.deepEqual([json.display_name, json.email], ['Octo Cat', 'octo@example.org']);
    assert.deepEqual(await rolesOf('octo'), ['of-organization', 'of-team', 'of-user']);
  });

  test('refuses non-members and a denied consent', async () => {
    assert.equal(failureIn(await logIn('hub', 'guest')), 'not_allowed');
    assert.equal(failureIn(await logIn('hub', undefined)), 'denied');
  });

  test('ends the sessions of users who have left, where a token lets the server ask', async () => {
    accepted(await server.put(`${AUTH_CONFIGS}/hub`, github({ PersonalAccessToken: ADMIN_TOKEN, AllowedOrganizations: 'acme' }), '*'));
    const visitor = new WebVisitor();
    await logIn('hub', 'octo', visitor);
    service.users.octo = { ...service.users.octo!, organizations: {} };
    assert.equal(await statusOf(visitor), 401);
  });

  test('refuses wrong settings with the reason', async () => {
    const verify = (changes: Readonly<Record<string, string>>) =>
      server.post('/api/admin/internal/security/auth_configs/verify_connection', github(changes));
    assert.equal(accepted(await verify({})).json.status, 'success');
    assert.match((await verify({ PersonalAccessToken: 'wrong' })).text, /refuses PersonalAccessToken/);
    assert.match((await verify({ GitHubEnterpriseUrl: '' })).text, /must not be blank/);
    assert.match((await verify({ AuthenticateWith: 'SourceForge' })).text, /Should be one of/);
    const bad = await server.post('/api/admin/security/roles', role('bad', 'hub', { Teams: 'acme' }));
    assert.equal(bad.status, 422);
    assert.match(bad.text, /<organization>:<team-1>,<team-2>/);
  });
});

describe('GitLab', () => {
  test('lets in members of a group, with roles by path and access level', async () => {
    assert.equal((await logIn('lab', 'lab')).searchParams.get('signed_in'), 'true');
    assert.deepEqual(await rolesOf('lab'), ['of-group', 'of-maintainers', 'of-project']);
    await logIn('lab', 'tester');
    assert.deepEqual(await rolesOf('tester'), []);
  });

  test('ends the sessions of blocked users, where a token lets the server ask', async () => {
    accepted(await server.put(`${AUTH_CONFIGS}/lab`, gitlab({ PersonalAccessToken: ADMIN_TOKEN }), '*'));
    const visitor = new WebVisitor();
    await logIn('lab', 'tester', visitor);
    service.users.tester = { ...service.users.tester!, isBlocked: true };
    assert.equal(await statusOf(visitor), 401);
  });

  test('GitLab that is away does not end open sessions', async () => {
    const visitor = new WebVisitor();
    await logIn('lab', 'lab', visitor);
    assert.equal(await statusOf(visitor), 200);
    service.isDown = true;
    service.visitor = 'lab';
    assert.equal(await statusOf(visitor), 200);
    service.isDown = false;
  });
});

test('both plugins are published with labels, kinds and secure settings', async () => {
  for (const [id, secure] of [
    [GITHUB, ['ClientId', 'ClientSecret', 'PersonalAccessToken']],
    [GITLAB, ['ClientSecret', 'PersonalAccessToken']],
    ['slipway.authorization.oidc', ['ClientSecret']],
  ] as const) {
    const [extension] = accepted(await server.get(`/api/admin/plugin_info/${id}`)).json.extensions;
    assert.equal(extension.capabilities.supported_auth_type, 'Web');
    assert.equal(extension.capabilities.can_authorize, true);
    const found = extension.auth_config_settings.configurations.filter(
      ({ metadata }: { metadata: { secure: boolean } }) => metadata.secure,
    );
    assert.deepEqual(
      found.map(({ key }: { key: string }) => key),
      secure,
    );
    assert.ok(extension.role_settings.configurations.length > 0);
  }
});

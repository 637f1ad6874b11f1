// Knows users of GitLab, of gitlab.com or of an own server, with the settings of GoCD's plugin.
import type { AuthorizationPlugin } from '../../../../contracts/plugins/authorization.ts';
import type { SettingField, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { LoginFailure, type WebLogin } from '../../../../contracts/plugins/web-login.ts';
import { readText } from '../../../setting-values.ts';
import { COMMON_FIELDS, labelIn, linksExistingUsers } from './common-fields.ts';
import { ACCESS_LEVELS, groupTexts, hasRole, isInGroup, type Kind, neededLevels, roleProblems } from './gitlab-groups.ts';
import { connectionResultOf, HostedSite } from './hosted-site.ts';
import { MembershipChecks } from './membership-checks.ts';
import { namesIn } from './name-lists.ts';
import { idIn, type ProviderApi, recordAt, recordsAt, statusOf, textIn } from './provider-api.ts';

const ENTERPRISE = 'GitLabEnterprise';
const SERVERS = { GitLab: 'GitLab', [ENTERPRISE]: 'GitLab on a server of your own' };
const SCOPE = 'read_api';
const LISTS: Readonly<Record<Kind, { readonly path: string; readonly key: string }>> = {
  group: { path: '/groups?', key: 'full_path' },
  project: { path: '/projects?membership=true&simple=true&', key: 'path_with_namespace' },
};
const FIELDS: readonly SettingField[] = [
  { key: 'ApplicationId', required: true, description: 'Of the application in GitLab.' },
  { key: 'ClientSecret', required: true, secure: true, description: 'The secret of the application.' },
  { key: 'AuthenticateWith', choices: SERVERS, defaultValue: 'GitLab' },
  { key: 'GitLabEnterpriseUrl', description: 'Where your own GitLab answers, such as `https://gitlab.example.com`.' },
  {
    key: 'PersonalAccessToken',
    secure: true,
    description:
      'With the scope `read_api`: users are looked for with it, and sessions end of those who are blocked or have left the groups.',
  },
  { key: 'AllowedGroups', description: 'Only members of these groups may log in, by path, separated by commas; left out: everybody.' },
  ...COMMON_FIELDS,
];

const hosted = new HostedSite({ name: 'GitLab', publicSite: 'https://gitlab.com', selfHosted: ENTERPRISE, urlKey: 'GitLabEnterpriseUrl' });
const checks = new MembershipChecks();

const web: WebLogin = {
  labelOf: (settings) => labelIn(settings, 'GitLab'),
  providerOf: (settings) => hosted.providerOf(settings),
  linksExistingUsers,

  async begin(start, settings) {
    const { loginPage } = await import('./openid.ts');
    return loginPage(await providerOf(settings), start);
  },

  async finish(returned, settings) {
    const { tokensOf } = await import('./openid.ts');
    const { accessToken } = await tokensOf(await providerOf(settings), returned);
    const api = apiOf(settings, { authorization: `Bearer ${accessToken}` });
    const user = await recordAt(api, '/user');
    const [subject, loginName] = [idIn(user), textIn(user, 'username')];
    if (subject === undefined || loginName === undefined) throw new LoginFailure('invalid', 'GitLab does not say who the user is.');
    const groups = [
      ...(await listed(api, 'group', neededLevels(returned.roles, 'group') ?? [])),
      ...(await listedProjects(api, neededLevels(returned.roles, 'project'))),
    ];
    if (!mayLogIn(groups, settings)) throw new LoginFailure('not_allowed', 'The user is in none of AllowedGroups.');
    return {
      issuer: hosted.siteOf(settings),
      subject,
      loginName,
      displayName: textIn(user, 'name') ?? loginName,
      email: textIn(user, 'email'),
      groups,
      session: { id: '', idToken: '' },
    };
  },

  isLetIn: mayLogIn,
  hasRole,
};

export const gitlab: AuthorizationPlugin = {
  id: 'cd.go.authorization.gitlab',
  kind: 'authorization',
  name: 'GitLab OAuth authorization plugin',
  version: '1.0.0',
  description: 'Users, groups and projects of GitLab.',
  vendor: 'Slipway',
  blocks: {
    auth_config: { fields: FIELDS, unknownKey: 'Is an unknown property', check: (settings) => hosted.problems(settings) },
    role: {
      fields: [
        {
          key: 'Groups',
          kind: 'multiline',
          description:
            'Members of these groups have the role; a line is a path, and the access levels that count: `acme/infra:owner,maintainer`.',
        },
        { key: 'Projects', kind: 'multiline', description: 'Members of these projects have the role; lines as for groups.' },
        { key: 'Users', description: 'These users have the role, separated by commas.' },
      ],
      unknownKey: 'Is an unknown property',
      check: roleProblems,
    },
  },
  capabilities: { supported_auth_type: 'Web', can_search: true, can_authorize: true },
  web,

  async isUser(login, settings) {
    const token = readText(settings, 'PersonalAccessToken');
    if (token === '') return true; // GitLab cannot be asked without a token
    const allowed = namesIn(settings.get('AllowedGroups'));
    return checks.check(`${hosted.siteOf(settings)} ${allowed.join()} ${login}`, () =>
      isStillThere(withToken(settings, token), allowed, login),
    );
  },

  async search(term, settings) {
    const token = readText(settings, 'PersonalAccessToken');
    if (term.trim() === '' || token === '') return [];
    const found = await recordsAt(withToken(settings, token), `/users?search=${encodeURIComponent(term)}`);
    return found.flatMap((user) => {
      const loginName = textIn(user, 'username');
      return loginName === undefined ? [] : [{ loginName, displayName: textIn(user, 'name') ?? loginName, email: undefined }];
    });
  },

  async verifyConnection(settings) {
    const token = readText(settings, 'PersonalAccessToken');
    try {
      if (token === '') {
        // Any answer of the API will do: without a token it shows public projects at most.
        const status = await statusOf(apiOf(settings, {}), '/projects?per_page=1');
        return status < 500 && status !== 404 ? { ok: true } : { ok: false, reason: `GitLab answers with status ${status}.` };
      }
      const status = await statusOf(withToken(settings, token), '/user');
      return connectionResultOf('GitLab', status);
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },
};

function mayLogIn(groups: readonly string[], settings: SettingValues): boolean {
  const allowed = namesIn(settings.get('AllowedGroups'));
  return allowed.length === 0 || isInGroup(allowed, groups);
}

function apiOf(settings: SettingValues, headers: Readonly<Record<string, string>>): ProviderApi {
  return { base: `${hosted.siteOf(settings)}/api/v4`, headers: { accept: 'application/json', ...headers } };
}

function withToken(settings: SettingValues, token: string): ProviderApi {
  return apiOf(settings, { 'private-token': token });
}

async function providerOf(settings: SettingValues) {
  const { known } = await import('./openid.ts');
  const site = hosted.siteOf(settings);
  return known({
    issuer: new URL(site),
    authorizationEndpoint: `${site}/oauth/authorize`,
    tokenEndpoint: `${site}/oauth/token`,
    clientId: readText(settings, 'ApplicationId').trim(),
    clientSecret: readText(settings, 'ClientSecret'),
    scope: SCOPE,
  });
}

/** Lists groups or projects, with the access level of the user in each if roles ask for levels. */
async function listed(api: ProviderApi, kind: Kind, levels: readonly string[]): Promise<readonly string[]> {
  const { path, key } = LISTS[kind];
  const found = new Map<string, string | undefined>();
  // To distinguish a level from those above it, all of them are asked for.
  const ascending = Object.entries(ACCESS_LEVELS).slice(0, levels.length === 0 ? 1 : undefined);
  for (const [level, number] of ascending) {
    const records = await recordsAt(api, `${path}min_access_level=${number}`);
    for (const record of records) {
      const name = textIn(record, key);
      if (name !== undefined) found.set(name, levels.length === 0 ? undefined : level);
    }
    if (records.length === 0) break; // without any at this level there is none at a higher one
  }
  return groupTexts(kind, found);
}

async function listedProjects(api: ProviderApi, levels: readonly string[] | undefined): Promise<readonly string[]> {
  return levels === undefined ? [] : listed(api, 'project', levels);
}

async function isStillThere(api: ProviderApi, allowed: readonly string[], login: string): Promise<boolean> {
  const [user] = await recordsAt(api, `/users?username=${encodeURIComponent(login)}`);
  if (user?.state !== 'active') return false;
  if (allowed.length === 0) return true;
  const id = idIn(user);
  for (const path of allowed) {
    const members = await recordsAt(api, `/groups/${encodeURIComponent(path)}/members/all?user_ids=${id}`);
    if (members.some((member) => idIn(member) === id)) return true;
  }
  return false;
}

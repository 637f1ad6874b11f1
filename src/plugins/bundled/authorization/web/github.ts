// Knows users of GitHub and GitHub Enterprise, with the settings of GoCD's plugin.
import type { AuthorizationPlugin } from '../../../../contracts/plugins/authorization.ts';
import type { SettingField, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { LoginFailure, type WebLogin } from '../../../../contracts/plugins/web-login.ts';
import { readText } from '../../../setting-values.ts';
import { COMMON_FIELDS, labelIn, linksExistingUsers } from './common-fields.ts';
import { groupsOf, hasRole, isInOrganization, roleProblems } from './github-groups.ts';
import { connectionResultOf, HostedSite } from './hosted-site.ts';
import { MembershipChecks } from './membership-checks.ts';
import { namesIn } from './name-lists.ts';
import { idIn, type JsonRecord, type ProviderApi, recordAt, recordsAt, statusOf, textIn } from './provider-api.ts';

const ENTERPRISE = 'GitHubEnterprise';
const SERVERS = { GitHub: 'GitHub', [ENTERPRISE]: 'GitHub Enterprise' };
const SCOPE = 'user:email read:org';
const MAX_FOUND_USERS = 100;
const MEMBER = 204;
const FIELDS: readonly SettingField[] = [
  { key: 'ClientId', required: true, secure: true, description: 'Of the OAuth app.' },
  { key: 'ClientSecret', required: true, secure: true, description: 'Of the OAuth app.' },
  { key: 'AuthenticateWith', choices: SERVERS, defaultValue: 'GitHub' },
  { key: 'GitHubEnterpriseUrl', description: 'Where GitHub Enterprise answers, such as `https://github.example.com`.' },
  {
    key: 'AllowedOrganizations',
    description: 'Only members of these organizations may log in, separated by commas; left out: everybody with an account.',
  },
  {
    key: 'PersonalAccessToken',
    secure: true,
    description: 'With the scope `read:org`: users are looked for with it, and sessions end of those who have left the organizations.',
  },
  ...COMMON_FIELDS,
];

const hosted = new HostedSite({ name: 'GitHub', publicSite: 'https://github.com', selfHosted: ENTERPRISE, urlKey: 'GitHubEnterpriseUrl' });
const checks = new MembershipChecks();

const web: WebLogin = {
  labelOf: (settings) => labelIn(settings, hosted.isSelfHosted(settings) ? SERVERS[ENTERPRISE] : SERVERS.GitHub),
  providerOf: (settings) => hosted.providerOf(settings),
  linksExistingUsers,

  async begin(start, settings) {
    const { loginPage } = await import('./openid.ts');
    return loginPage(await providerOf(settings), start);
  },

  async finish(returned, settings) {
    const { tokensOf } = await import('./openid.ts');
    const { accessToken } = await tokensOf(await providerOf(settings), returned);
    const api = apiOf(settings, accessToken);
    const [user, organizations, teams] = await Promise.all([
      recordAt(api, '/user'),
      recordsAt(api, '/user/orgs'),
      recordsAt(api, '/user/teams'),
    ]);
    const [subject, loginName] = [idIn(user), textIn(user, 'login')];
    if (subject === undefined || loginName === undefined) throw new LoginFailure('invalid', 'GitHub does not say who the user is.');
    const groups = groupsOf(
      organizations.flatMap((organization) => textIn(organization, 'login') ?? []),
      teams.flatMap(teamOf),
    );
    if (!mayLogIn(groups, settings)) throw new LoginFailure('not_allowed', 'The user is in none of AllowedOrganizations.');
    return {
      issuer: hosted.siteOf(settings),
      subject,
      loginName,
      displayName: textIn(user, 'name') ?? loginName,
      email: textIn(user, 'email') ?? (await primaryAddress(api)),
      groups,
      session: { id: '', idToken: '' },
    };
  },

  isLetIn: mayLogIn,
  hasRole,
};

export const github: AuthorizationPlugin = {
  id: 'cd.go.authorization.github',
  kind: 'authorization',
  name: 'GitHub OAuth authorization plugin',
  version: '1.0.0',
  description: 'Users, organizations and teams of GitHub or GitHub Enterprise.',
  vendor: 'Slipway',
  blocks: {
    auth_config: { fields: FIELDS, unknownKey: 'Is an unknown property', check: (settings) => hosted.problems(settings) },
    role: {
      fields: [
        { key: 'Organizations', description: 'Members of these organizations have the role, separated by commas.' },
        { key: 'Teams', kind: 'multiline', description: 'Members of these teams have the role; a line is `organization:team-1,team-2`.' },
        { key: 'Users', description: 'These users have the role, separated by commas.' },
      ],
      unknownKey: 'Is an unknown property',
      check: roleProblems,
    },
  },
  capabilities: { supported_auth_type: 'Web', can_search: true, can_authorize: true },
  web,

  async isUser(login, settings) {
    const allowed = namesIn(settings.get('AllowedOrganizations'));
    const token = readText(settings, 'PersonalAccessToken');
    if (allowed.length === 0 || token === '') return true; // all users are allowed, or GitHub cannot be asked without a token
    return checks.check(`${hosted.siteOf(settings)} ${allowed.join()} ${login}`, () =>
      isMemberOfAny(apiOf(settings, token), allowed, login),
    );
  },

  async search(term, settings) {
    const token = readText(settings, 'PersonalAccessToken');
    if (term.trim() === '' || token === '') return [];
    const { items } = await recordAt(apiOf(settings, token), `/search/users?q=${encodeURIComponent(term)}&per_page=${MAX_FOUND_USERS}`);
    return (Array.isArray(items) ? (items as readonly JsonRecord[]) : []).flatMap((user) => {
      const loginName = textIn(user, 'login');
      return loginName === undefined ? [] : [{ loginName, displayName: loginName, email: undefined }];
    });
  },

  async verifyConnection(settings) {
    const token = readText(settings, 'PersonalAccessToken');
    try {
      const status = await statusOf(apiOf(settings, token), token === '' ? '/meta' : '/user');
      return connectionResultOf('GitHub', status);
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },
};

function mayLogIn(groups: readonly string[], settings: SettingValues): boolean {
  const allowed = namesIn(settings.get('AllowedOrganizations'));
  return allowed.length === 0 || isInOrganization(allowed, groups);
}

function apiOf(settings: SettingValues, token: string): ProviderApi {
  return {
    base: hosted.isSelfHosted(settings) ? `${hosted.siteOf(settings)}/api/v3` : 'https://api.github.com',
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
  };
}

async function providerOf(settings: SettingValues) {
  const { known } = await import('./openid.ts');
  const site = hosted.siteOf(settings);
  return known({
    issuer: new URL(site),
    authorizationEndpoint: `${site}/login/oauth/authorize`,
    tokenEndpoint: `${site}/login/oauth/access_token`,
    clientId: readText(settings, 'ClientId').trim(),
    clientSecret: readText(settings, 'ClientSecret'),
    scope: SCOPE,
  });
}

function teamOf(team: JsonRecord) {
  const organization = textIn((team.organization ?? {}) as JsonRecord, 'login');
  const names = [textIn(team, 'slug'), textIn(team, 'name')].filter((name) => name !== undefined);
  return organization === undefined ? [] : [{ organization, names }];
}

/** The one that notices go to, if its owner has confirmed it. */
async function primaryAddress(api: ProviderApi): Promise<string | undefined> {
  const found = await recordsAt(api, '/user/emails');
  return found.filter(({ primary, verified }) => primary === true && verified === true).flatMap((one) => textIn(one, 'email') ?? [])[0];
}

async function isMemberOfAny(api: ProviderApi, organizations: readonly string[], login: string): Promise<boolean> {
  for (const organization of organizations) {
    const path = `/orgs/${encodeURIComponent(organization)}/members/${encodeURIComponent(login)}`;
    const status = await statusOf(api, path);
    if (status === MEMBER) return true;
    // 302: the owner of the token is no member and sees only public members; 404: the user is no member.
    if (status !== 302 && status !== 404) throw new LoginFailure('away', `GitHub answers with status ${status} who is in an organization.`);
  }
  return false;
}

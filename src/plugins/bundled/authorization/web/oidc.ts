// Knows users from an OpenID Connect provider, such as Keycloak, Entra ID, Okta or Google.
import type { AuthorizationPlugin } from '../../../../contracts/plugins/authorization.ts';
import type { SettingField, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { WebLogin } from '../../../../contracts/plugins/web-login.ts';
import { readText } from '../../../setting-values.ts';
import { COMMON_FIELDS, labelIn, linksExistingUsers } from './common-fields.ts';
import { hasCommon, isAnyAllowed, namesIn } from './name-lists.ts';
import { accountOf, DEFAULT_CLAIMS, lacksClaims } from './oidc-claims.ts';
import type { Provider } from './openid.ts';
import { addressProblems, parsedAddress } from './provider-address.ts';
import { ProviderCache } from './provider-cache.ts';

const DEFAULT_SCOPES = 'openid profile email';
const FIELDS: readonly SettingField[] = [
  {
    key: 'Issuer',
    required: true,
    description: 'The address of the provider, as it names itself, such as `https://login.example.com/realms/staff`.',
  },
  { key: 'ClientId', required: true, description: 'What the provider calls this server.' },
  { key: 'ClientSecret', secure: true, description: 'Left out: a public client, which PKCE alone protects.' },
  { key: 'Scopes', defaultValue: DEFAULT_SCOPES, description: 'What is asked for, separated by blanks; `openid` is always among it.' },
  { key: 'LoginClaim', defaultValue: DEFAULT_CLAIMS.LoginClaim, description: 'The claim that is the login name.' },
  { key: 'NameClaim', defaultValue: DEFAULT_CLAIMS.NameClaim, description: 'The claim that is the name as people read it.' },
  { key: 'EmailClaim', defaultValue: DEFAULT_CLAIMS.EmailClaim, description: 'The claim that is the mail address.' },
  {
    key: 'GroupsClaim',
    defaultValue: DEFAULT_CLAIMS.GroupsClaim,
    description: 'The claim that lists the groups; dots lead into objects, as in `realm_access.roles`.',
  },
  { key: 'AllowedGroups', kind: 'multiline', description: 'Only members of these groups may log in; left out: all users of the provider.' },
  { key: 'AdminGroups', kind: 'multiline', description: 'Members of these groups administer the server.' },
  ...COMMON_FIELDS,
];

const providers = new ProviderCache();

const web: WebLogin = {
  labelOf: (settings) => labelIn(settings, parsedAddress(readText(settings, 'Issuer'))?.hostname ?? 'OpenID Connect'),
  providerOf: (settings) => parsedAddress(readText(settings, 'Issuer'))?.href ?? '',
  linksExistingUsers,

  async begin(start, settings) {
    const { loginPage } = await import('./openid.ts');
    return loginPage(await providerOf(settings), start);
  },

  async finish(returned, settings) {
    const { tokensOf, moreClaims } = await import('./openid.ts');
    const provider = await providerOf(settings);
    try {
      const { accessToken, claims, idToken } = await tokensOf(provider, returned);
      const more = lacksClaims(claims, settings) ? await moreClaims(provider, accessToken, String(claims.sub)) : {};
      return accountOf({ ...more, ...claims }, idToken, settings);
    } catch (failure) {
      // The provider may have other keys and addresses by now: they are read anew.
      providers.forget(provider);
      throw failure;
    }
  },

  isLetIn: (groups, settings) => isAnyAllowed(namesIn(settings.get('AllowedGroups')), groups),

  hasRole: (role, { loginName, groups }) =>
    hasCommon(namesIn(role.get('Groups')), groups) || namesIn(role.get('Users')).includes(loginName.toLowerCase()),

  isAdmin: (groups, settings) => hasCommon(namesIn(settings.get('AdminGroups')), groups),

  async logoutAddress(idToken, returnTo, settings) {
    const { logoutPage } = await import('./openid.ts');
    return logoutPage(await providerOf(settings), idToken, returnTo);
  },

  async readLogoutToken(token, settings) {
    const { readLogoutToken } = await import('./openid.ts');
    return readLogoutToken(await providerOf(settings), token);
  },
};

export const oidc: AuthorizationPlugin = {
  id: 'slipway.authorization.oidc',
  kind: 'authorization',
  name: 'OpenID Connect',
  version: '1.0.0',
  description: 'Users of an OpenID Connect provider, such as Keycloak, Entra ID, Okta or Google.',
  vendor: 'Slipway',
  blocks: {
    auth_config: { fields: FIELDS, unknownKey: 'Is an unknown property', check: (values) => addressProblems(values, 'Issuer') },
    role: {
      fields: [
        { key: 'Groups', kind: 'multiline', description: 'Members of these groups of the provider have the role.' },
        { key: 'Users', kind: 'multiline', description: 'These login names have the role.' },
      ],
      unknownKey: 'Is an unknown property',
    },
  },
  // A provider reports only the user who logs in.
  capabilities: { supported_auth_type: 'Web', can_search: false, can_authorize: true },
  web,
  isUser: async () => true,
  search: async () => [],

  async verifyConnection(settings) {
    try {
      const { discover } = await import('./openid.ts');
      await discover(discoveryOf(settings));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  },
};

async function providerOf(settings: SettingValues): Promise<Provider> {
  const { discover } = await import('./openid.ts');
  return providers.get(settings, () => discover(discoveryOf(settings)));
}

function discoveryOf(settings: SettingValues) {
  const issuer = parsedAddress(readText(settings, 'Issuer')); // a configuration edited as a whole file has not passed the check
  if (!issuer) throw new Error('Issuer must be an address that begins with https://.');
  const scopes = new Set(['openid', ...(readText(settings, 'Scopes') || DEFAULT_SCOPES).split(/\s+/).filter((scope) => scope !== '')]);
  return {
    issuer,
    clientId: readText(settings, 'ClientId').trim(),
    clientSecret: readText(settings, 'ClientSecret'),
    scope: [...scopes].join(' '),
  };
}

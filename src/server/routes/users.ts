// The routes of users, their permissions, tokens and notification filters.
import type { ChangeEnabledUsers } from '../../access/conditions.ts';
import { identityRevalidator } from '../../access/login/identity-revalidation.ts';
import type { Access } from '../../access/may.ts';
import type { SessionLogins } from '../../access/sessions/session-logins.ts';
import type { Tokens } from '../../access/users/tokens.ts';
import type { Users } from '../../access/users/users.ts';
import type { WebLogins } from '../../access/web-logins/web-logins.ts';
import { accessTokenRoutes } from '../../api/endpoints/access-tokens/routes.ts';
import { notificationFilterRoutes } from '../../api/endpoints/notification-filters/routes.ts';
import { permissionsRoute } from '../../api/endpoints/permissions/routes.ts';
import { serviceAccountRoutes } from '../../api/endpoints/service-accounts/routes.ts';
import { allSessionRoutes } from '../../api/endpoints/sessions/all.ts';
import { sessionRoutes } from '../../api/endpoints/sessions/routes.ts';
import { scopeResources } from '../../api/endpoints/token-scopes/resources.ts';
import { scopeListRoute } from '../../api/endpoints/token-scopes/routes.ts';
import { currentUserRoutes } from '../../api/endpoints/users/current-user.ts';
import { memberNamesRoute } from '../../api/endpoints/users/member-names.ts';
import { userRoutes } from '../../api/endpoints/users/routes.ts';
import { webLoginRoutes } from '../../api/endpoints/web-logins/routes.ts';
import type { Route } from '../../api/engine/route.ts';
import { STARTING } from '../../api/http/handler.ts';
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import type { Readiness } from '../../health/readiness.ts';
import { Refusal } from '../../kit/refusal.ts';
import { Filters } from '../../notifications/filters.ts';
import { stageNamesOf } from '../../resources/pipelines/stage-names.ts';
import type { Database } from '../../store/database.ts';
import type { SerialTableWrites } from '../../store/serial-table-writes.ts';

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly access: Access;
  readonly serialWrites: SerialTableWrites;
  readonly changeEnabledUsers: ChangeEnabledUsers;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly sessionLogins: SessionLogins;
  readonly webLogins: WebLogins;
  readonly version: string;
  readonly contextPath: string;
  readonly readiness: Pick<Readiness, 'phase'>;
  isInMaintenance(): boolean;
}

export function allUserRoutes({ config, database, access, serialWrites, changeEnabledUsers, users, tokens, ...parts }: Parts): Route[] {
  const revalidate = identityRevalidator(config, users);
  const browsers = {
    siteUrl: () => siteUrlIn(config),
    publicUrl: () => publicUrlIn(config),
    refuseWhileStarting: () => {
      if (parts.readiness.phase === 'starting') throw new Refusal('unavailable', STARTING, { retryAfter: 1 });
    },
  };
  const resources = () => scopeResources([...config.kinds.values()]);
  return [
    ...currentUserRoutes(users),
    ...userRoutes({
      users,
      tokens,
      changeEnabledUsers,
      isAdmin: (loginName) => access.isAdmin({ loginName }),
      rolesOf: (login) => access.rolesOf(login).map(({ value: { name, type } }) => ({ name, type })),
    }),
    memberNamesRoute({
      userNames: () => users.all().map(({ loginName }) => loginName),
      roleNames: () => Array.from(config.of('roles').all(), ({ value }) => value.name),
    }),
    permissionsRoute(config, access),
    ...notificationFilterRoutes({
      filters: new Filters(database, serialWrites),
      revalidate,
      isMailConfigured: () => config.of('mailServer').find('') !== undefined,
      stagesOf: (name) => stageNamesOf(new Draft(config), name),
    }),
    ...accessTokenRoutes({
      tokens,
      users,
      access,
      revalidate,
      scopeResources: () => new Set(resources().map(({ name }) => name)),
    }),
    scopeListRoute(resources),
    ...serviceAccountRoutes({ users, tokens, changeEnabledUsers }),
    ...sessionRoutes({ ...parts, ...browsers, logins: parts.sessionLogins, access }),
    ...allSessionRoutes(parts.sessionLogins.sessions, users),
    ...webLoginRoutes({ ...parts, ...browsers }),
  ];
}

function siteUrlIn(config: Config): string | undefined {
  const { siteUrl, secureSiteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return siteUrl || secureSiteUrl;
}

/** Where people come from elsewhere: encrypted, if there is such an address. */
function publicUrlIn(config: Config): string | undefined {
  const { siteUrl, secureSiteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return secureSiteUrl || siteUrl || undefined;
}

// The routes about people: users, what they may, their tokens and what they want to be told.
import { adminLogins, type ChangeEnabledUsers } from '../../access/conditions.ts';
import { stillAdmitted } from '../../access/login/still-admitted.ts';
import type { Access } from '../../access/may.ts';
import type { SessionLogins } from '../../access/sessions/session-logins.ts';
import { rolesOf } from '../../access/users/roles-of.ts';
import type { Tokens } from '../../access/users/tokens.ts';
import type { Users } from '../../access/users/users.ts';
import { accessTokenRoutes } from '../../api/endpoints/access-tokens/routes.ts';
import { notificationFilterRoutes } from '../../api/endpoints/notification-filters/routes.ts';
import { permissionsRoute } from '../../api/endpoints/permissions/routes.ts';
import { sessionRoutes } from '../../api/endpoints/sessions/routes.ts';
import { currentUserRoutes } from '../../api/endpoints/users/current-user.ts';
import { userRoutes } from '../../api/endpoints/users/routes.ts';
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
  readonly turns: SerialTableWrites;
  readonly changeStanding: ChangeEnabledUsers;
  readonly users: Users;
  readonly tokens: Tokens;
  readonly sessionLogins: SessionLogins;
  readonly version: string;
  readonly contextPath: string;
  readonly readiness: Pick<Readiness, 'phase'>;
  isInMaintenance(): boolean;
}

export function peopleRoutes({ config, database, access, turns, changeStanding, users, tokens, ...parts }: Parts): Route[] {
  const mustStillBeIn = stillAdmitted(config, users);
  return [
    ...currentUserRoutes(users),
    ...userRoutes({
      users,
      tokens,
      changeStanding,
      adminLogins: () => adminLogins(new Draft(config)),
      rolesOf: (login) => rolesOf(config, login),
    }),
    permissionsRoute(config, access),
    ...notificationFilterRoutes({
      filters: new Filters(database, turns),
      mustStillBeIn,
      isMailConfigured: () => config.of('mailServer').find('') !== undefined,
      stagesOf: (name) => stageNamesOf(new Draft(config), name),
    }),
    ...accessTokenRoutes(tokens, access, mustStillBeIn),
    ...sessionRoutes({
      ...parts,
      logins: parts.sessionLogins,
      access,
      siteUrl: () => siteUrlIn(config),
      refuseWhileStarting: () => {
        if (parts.readiness.phase === 'starting') throw new Refusal('unavailable', STARTING, { retryAfter: 1 });
      },
    }),
  ];
}

function siteUrlIn(config: Config): string | undefined {
  const { siteUrl, secureSiteUrl } = config.of('siteUrls').find('')?.value ?? {};
  return siteUrl || secureSiteUrl;
}

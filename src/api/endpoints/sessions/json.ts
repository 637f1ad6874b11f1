// A session as JSON: the facts of the user for pages, and the sessions of a user for themselves.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import { idOf, type Session } from '../../../access/sessions/session.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { docLink, links } from '../common/links.ts';

export const SESSION_PATH = '/api/session';
export const OWN_SESSIONS_PATH = '/api/current_user/sessions';
export const ALL_SESSIONS_PATH = '/api/admin/sessions';

export interface Rights {
  readonly isAdmin: boolean;
  readonly isGroupAdmin: boolean;
  readonly can: Readonly<Record<string, boolean>>;
}

export interface SessionFacts {
  readonly identity: Pick<Identity, 'loginName' | 'displayName'>;
  readonly rights: Rights;
  /** null: not logged in by a session. */
  readonly csrfToken: string | null;
  readonly expiresAt: number | null;
  readonly version: string;
  readonly isInMaintenance: boolean;
  readonly timeZone: string;
}

/** The rights that decide which pages the user is offered. Each page requests its data by itself. */
export function rightsOf(identity: Identity, access: Access): Rights {
  const isAdmin = access.isAdmin(identity);
  const can = {
    administer_server: isAdmin,
    administer_pipelines: access.passes(identity, 'groupAdmin'),
    view_templates: access.mayHaveAnyOf(identity, 'admin', 'template'),
    view_environments: access.mayHaveAnyOf(identity, 'admin', 'environment'),
    view_config_repos: access.mayHaveAnyOf(identity, 'admin', 'config_repo'),
    view_cluster_profiles: access.mayHaveAnyOf(identity, 'admin', 'cluster_profile'),
    view_elastic_agent_profiles: access.mayHaveAnyOf(identity, 'groupAdmin', 'elastic_agent_profile'),
    list_member_names: access.passes(identity, 'anyAdmin'),
  };
  const viewsAdmin = Object.values(can).some((isAllowed) => isAllowed);
  return {
    isAdmin,
    isGroupAdmin: can.administer_pipelines,
    can: { view_admin: viewsAdmin, ...can, manage_access_tokens: identity.tokenId === null },
  };
}

export function sessionJson(facts: SessionFacts, base: string): JsonOut {
  const { identity, rights, csrfToken, expiresAt, version, isInMaintenance, timeZone } = facts;
  return {
    _links: links(base, { self: SESSION_PATH, doc: docLink('sessions'), current_user: '/api/current_user', sessions: OWN_SESSIONS_PATH }),
    login_name: identity.loginName,
    display_name: identity.displayName,
    is_admin: rights.isAdmin,
    is_group_admin: rights.isGroupAdmin,
    // Every user of this server logs in. By these members pages recognize servers without logins.
    anonymous: false,
    security_enabled: true,
    csrf_token: csrfToken,
    expires_at: expiresAt === null ? null : timeOf(expiresAt),
    server: {
      name: 'Slipway',
      version,
      maintenance_mode: isInMaintenance,
      time_zone: timeZone,
    },
    can: rights.can,
  };
}

export interface ShownSession {
  readonly session: Session;
  readonly expiresAt: number;
  readonly isCurrent: boolean;
}

export function ownSessionsJson(sessions: readonly ShownSession[], base: string): JsonOut {
  return {
    _links: links(base, { self: OWN_SESSIONS_PATH, doc: docLink('sessions') }),
    _embedded: { sessions: sessions.map((shown) => oneSessionJson(shown, OWN_SESSIONS_PATH, base)) },
  };
}

export interface SessionOfUser extends ShownSession {
  readonly loginName: string;
}

export function allSessionsJson(sessions: readonly SessionOfUser[], base: string): JsonOut {
  return {
    _links: links(base, { self: ALL_SESSIONS_PATH, doc: docLink('sessions') }),
    _embedded: {
      sessions: sessions.map((shown) => ({ login_name: shown.loginName, ...oneSessionJson(shown, ALL_SESSIONS_PATH, base) })),
    },
  };
}

function oneSessionJson({ session, expiresAt, isCurrent }: ShownSession, home: string, base: string): JsonOut {
  const id = idOf(session);
  return {
    _links: links(base, { self: `${home}/${id}`, doc: docLink('sessions') }),
    id,
    current: isCurrent,
    address: session.address,
    browser: session.browser,
    auth_config_id: session.authConfigId,
    created_at: timeOf(session.createdAt),
    last_used_at: timeOf(session.usedAt),
    expires_at: timeOf(expiresAt),
  };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

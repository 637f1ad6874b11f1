// The events of personal access tokens: with the user, the id and the reason; never the token itself.
import type { EventType } from '../../shape/event-types.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import { addressesOf, scopesOf, type Token } from './token.ts';

export function tokenCreated(token: Token, by: string): NewEvent {
  const { id, login_name, auth_config_id } = token;
  return event('access_token.created', by, [id], { login_name, auth_config_id, ...limitsIn(token) });
}

export function tokenRotated(old: Token, token: Token, by: string): NewEvent {
  const { login_name } = token;
  return event('access_token.rotated', by, [token.id, old.id], { login_name, former_ends_at: old.expires_at, ...limitsIn(token) });
}

export function tokenRevoked({ id, login_name, revoked_by, revoke_cause }: Token): NewEvent {
  return event('access_token.revoked', revoked_by, [id], { login_name, cause: revoke_cause });
}

export function tokenExpired({ id, login_name, expires_at }: Token): NewEvent {
  return event('access_token.expired', null, [id], { login_name, expires_at });
}

/** Only the limits that the token has: a plain token has none. */
function limitsIn(token: Token): NewEvent['data'] {
  const [scopes, addresses] = [scopesOf(token), addressesOf(token)];
  return {
    ...(token.expires_at !== null && { expires_at: token.expires_at }),
    ...(scopes && { scopes: [...scopes] }),
    ...(addresses && { allowed_addresses: [...addresses] }),
  };
}

function event(type: EventType, actor: string | null, ids: readonly number[], data: NewEvent['data']): NewEvent {
  return { type, actor, about: ids.map((id) => ({ resource: 'access_tokens', id: String(id) })), data };
}

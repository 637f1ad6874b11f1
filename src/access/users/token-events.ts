// The events of personal access tokens: whose, which, and why; never the token itself.
import type { EventType } from '../../shape/event-types.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { Token } from './token.ts';

type Facts = Pick<Token, 'id' | 'login_name' | 'auth_config_id' | 'revoked_by' | 'revoke_cause'>;

export function tokenCreated({ id, login_name, auth_config_id }: Facts): NewEvent {
  return event('access_token.created', login_name, id, { login_name, auth_config_id });
}

export function tokenRevoked({ id, login_name, revoked_by, revoke_cause }: Facts): NewEvent {
  return event('access_token.revoked', revoked_by, id, { login_name, cause: revoke_cause });
}

function event(type: EventType, actor: string | null, id: number, data: NewEvent['data']): NewEvent {
  return { type, actor, about: [{ resource: 'access_tokens', id: String(id) }], data };
}

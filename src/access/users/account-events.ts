// The events of service accounts.
import type { EventType } from '../../shape/event-types.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { User } from './users.ts';

type AccountEvent = Extract<EventType, `service_account.${string}`>;

export function accountEvent(type: AccountEvent, { loginName, enabled, serviceAccount }: User, by: string): NewEvent {
  return { type, actor: by, about: [{ resource: 'users', id: loginName }], data: { owner: serviceAccount?.owner ?? '', enabled } };
}

// The refusals of failed logins.
import { Refusal } from '../../kit/refusal.ts';

export function unauthenticated(message = 'You are not authenticated!'): Refusal {
  return new Refusal('unauthenticated', message);
}

export function disabled(): Refusal {
  return unauthenticated('Your account has been disabled by the administrator');
}

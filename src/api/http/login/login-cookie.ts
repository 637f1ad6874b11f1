// The cookie that ties a login at a provider to the browser that started it.
import { AMBIGUOUS, type CookieScope, cookieIn } from './session-cookie.ts';

const NAME = 'slipway_login';
const SECONDS = 10 * 60;

type Scope = Pick<CookieScope, 'isSecure'>;

/** With `__Host-` no other server of the domain can set it. Browsers take that by HTTPS only. */
function nameFor({ isSecure }: Scope): string {
  return isSecure ? `__Host-${NAME}` : NAME;
}

/** `Lax`: the browser sends it when the provider leads it back here. An empty text takes it away. */
export function loginCookie(sealed: string, scope: Scope): string {
  const age = sealed === '' ? 0 : SECONDS;
  return `${nameFor(scope)}=${sealed}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${age}${scope.isSecure ? '; Secure' : ''}`;
}

/** Undefined: there is none, or two that differ, of which another server may have set one. */
export function loginIn(header: string | undefined, scope: Scope): string | undefined {
  const found = cookieIn(header, nameFor(scope));
  return found === AMBIGUOUS || found === '' ? undefined : found;
}

// The session of the user.
import { signal } from '@preact/signals';
import { getJson, send, setCsrfToken, waitForSession } from './client.ts';
import { ApiFailure } from './failure.ts';

export interface Session {
  readonly login_name: string;
  readonly display_name: string;
  readonly is_admin: boolean;
  readonly is_group_admin?: boolean;
  readonly anonymous: boolean;
  readonly csrf_token: string | null;
  readonly expires_at?: string | null;
  readonly server: { readonly version: string; readonly maintenance_mode: boolean; readonly time_zone?: string };
  /** The pages that the user may open, by name, such as `view_config_repos`. */
  readonly can?: Readonly<Record<string, boolean>>;
}

export type SessionState =
  | { readonly is: 'loading' }
  | { readonly is: 'signed-in'; readonly session: Session }
  | { readonly is: 'signed-out'; readonly hasEnded: boolean }
  | { readonly is: 'unavailable'; readonly message: string };

const VERSION = 1;
export const sessionState = signal<SessionState>({ is: 'loading' });

export function currentSession(): Session | undefined {
  return sessionState.value.is === 'signed-in' ? sessionState.value.session : undefined;
}

/** Whether there is a page of administration for the user: by their own rights, or by the policy of a role. */
export function viewsAdmin(session: Session | undefined): boolean {
  return session?.can?.view_admin ?? false;
}

/** Whether the user administers a pipeline group, or everything. */
export function administersPipelines(session: Session | undefined): boolean {
  return session?.is_group_admin ?? false;
}

/** Distinguishes sessions of this browser: each has a token of its own, and logins that are no sessions at least a name. */
export function sessionKey({ csrf_token: token, login_name: name }: Session): string {
  return token ?? name;
}

export function loadSession(): Promise<void> {
  const loaded = askForSession();
  waitForSession(loaded);
  return loaded;
}

/** Reports a failure by the state: it never rejects. */
async function askForSession(): Promise<void> {
  if (!mayHaveSession()) {
    sessionState.value = { is: 'signed-out', hasEnded: false };
    return;
  }
  try {
    accept(await getJson<Session>('/api/session', VERSION));
  } catch (failure) {
    if (sessionState.value.is === 'signed-out') return; // as the refusal itself has reported
    if (failure instanceof ApiFailure && failure.status === 401) sessionState.value = { is: 'signed-out', hasEnded: false };
    else sessionState.value = { is: 'unavailable', message: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** Reads again what the user may do, because it may have changed. */
export async function refreshSession(): Promise<void> {
  try {
    const session = await getJson<Session>('/api/session', VERSION);
    const before = currentSession();
    // The next user at this browser is noticed elsewhere. Without a change nothing has to be drawn.
    if (before?.login_name === session.login_name && textOf(before) !== textOf(session)) accept(session);
  } catch {
    // A session that has ended, or a server that cannot be reached, is reported elsewhere.
  }
}

/** All but its end, which every request moves. */
function textOf(session: Session): string {
  return JSON.stringify({ ...session, expires_at: null });
}

export async function signIn(loginName: string, password: string): Promise<void> {
  const session = await send<Session>('/api/session', { method: 'POST', version: VERSION, body: { login_name: loginName, password } });
  if (session !== undefined) accept(session);
}

/** Gives the address at which the browser signs out at the provider, too; null: there is none. */
export async function signOut(): Promise<string | null> {
  const answer = await send<{ readonly logout_url: string | null }>('/api/session', { method: 'DELETE', version: VERSION });
  rememberSession(false);
  sessionState.value = { is: 'signed-out', hasEnded: false };
  return answer?.logout_url ?? null;
}

/** The server no longer accepts the session. */
export function sessionEnded(): void {
  rememberSession(false);
  if (sessionState.value.is !== 'signed-in') return;
  sessionState.value = { is: 'signed-out', hasEnded: true };
}

const userChangeListeners: (() => void)[] = [];
let lastUser: string | undefined;

/** For modules that cache answers: an answer is for one user, and not for the next one at this browser. */
export function onUserChange(forget: () => void): void {
  userChangeListeners.push(forget);
}

function accept(session: Session): void {
  rememberSession(true);
  if (lastUser !== undefined && lastUser !== session.login_name) for (const forget of userChangeListeners) forget();
  lastUser = session.login_name;
  setCsrfToken(session.csrf_token);
  sessionState.value = { is: 'signed-in', session };
}

/** Scripts cannot read the cookie, so this notes whether there should be one: users who are not logged in are led to the login without asking first. */
const SIGNED_IN_KEY = 'signed-in';
/** In the address, when the server leads back from a provider. */
const BACK_FROM_PROVIDER = 'signed_in';

export function mayHaveSession(): boolean {
  if (new URLSearchParams(location.search).has(BACK_FROM_PROVIDER)) return true;
  try {
    return localStorage.getItem(SIGNED_IN_KEY) !== null;
  } catch {
    return true; // A browser that keeps nothing for this site can still have the cookie.
  }
}

function rememberSession(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(SIGNED_IN_KEY, 'yes');
    else localStorage.removeItem(SIGNED_IN_KEY);
  } catch {
    // See above: without the note the server is asked.
  }
}

// The addresses of logins at providers.

/** The page that has the buttons, and shows failures of logins. */
export const LOGIN_PAGE = '/auth/login';
export const START_PATH = '/auth/login/:auth_config_id';
export const CALLBACK_PATH = '/auth/callback/:auth_config_id';
export const BACKCHANNEL_PATH = '/auth/backchannel_logout/:auth_config_id';
export const SOURCES_PATH = '/api/login_sources';

/** With an id in its place. */
export function addressFor(path: string, authConfigId: string): string {
  return path.replace(':auth_config_id', encodeURIComponent(authConfigId));
}

/** The address of the server from outside: providers know it by this address alone. */
export function publicBase(publicUrl: string | undefined, base: string, contextPath: string): string {
  const origin = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.origin;
  return origin === undefined ? base : origin + contextPath;
}

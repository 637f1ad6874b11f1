// The environment of programs for repositories: the variables of the machine that they need, and none of the server's own.

/** Proxies, certificates and keys of the machine count; the secrets of the server do not. */
const INHERITED_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'SYSTEMROOT',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
];

/** No user is there to answer prompts of ssh, nor to wait for a server that has fallen silent. */
export const SSH_COMMAND = 'ssh -oBatchMode=yes -oConnectTimeout=60 -oServerAliveInterval=60';

export function programEnvironment(more: readonly string[] = []): Record<string, string> {
  const environment: Record<string, string> = { LC_ALL: 'C.UTF-8' };
  for (const name of [...INHERITED_VARIABLES, ...more]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

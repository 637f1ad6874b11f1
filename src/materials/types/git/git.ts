// The git program for one material: without settings of the machine and its users, with credentials that no command line and no file shows.
import { devNull } from 'node:os';
import { dirname, sep } from 'node:path';
import { CREDENTIAL_HELPER, credentialVariables } from '../../../kit/process/git-credentials.ts';
import { programEnvironment, SSH_COMMAND } from '../../../kit/process/program-environment.ts';
import { type Address, openAddress } from '../../addresses/address.ts';
import { allowedPath, checkLinks } from '../../addresses/forbidden-paths.ts';
import { asWritten, fileAddress } from '../../addresses/local-path.ts';
import { type TlsOptions, tlsFor } from '../../addresses/tls.ts';
import type { PollContext } from '../../clients/client.ts';
import { Program } from '../../clients/program.ts';
import { foldersOfGit, followGitTo } from './followed-paths.ts';
import { type GitMaterial, refOf } from './material.ts';
import { isAboutOwnership, withAdvice } from './ownership.ts';
import { withoutProgress } from './progress.ts';
import { GitRoute } from './route.ts';

export interface Git {
  readonly program: Program;
  readonly address: Address;
  /** The address that git is given: for a repository of this machine, the place to which the configured address leads. */
  readonly source: string;
  /** That place. */
  readonly path: string | undefined;
  readonly route: GitRoute;
  /** Of the material. */
  readonly directory: string;
}

/** An administrator may name settings for all repositories, and another way of using ssh, in the environment of the server. */
const PASSED_VARIABLES = ['GIT_CONFIG_GLOBAL', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'];
const PROTOCOLS = 'http:https:ssh:git:file:rsync';

/** Git runs as one process: no background work and no threads. Each fetch leaves one pack instead of many files. */
const SETTINGS = {
  'gc.auto': '0',
  'gc.autoDetach': 'false',
  'maintenance.auto': 'false',
  'fetch.unpackLimit': '1',
  'pack.threads': '1',
  // Copies are made anew when they turn out to be damaged; waiting for the disk would make every write of the configuration wait, too.
  'core.fsync': 'none',
  'core.hooksPath': devNull,
  'credential.helper': '',
  // Where a redirect leads is judged before git goes there; this also keeps it from the alternates that a server names.
  'http.followRedirects': 'false',
};

export function gitFor(material: GitMaterial, context: PollContext): Git {
  const address = openAddress(material.url, material);
  const path = allowedPath(address.url, context, followGitTo(refOf(material.branch)));
  const { login, secrets } = address;
  const [origin] = /^https?:\/\/[^/?#]+/i.exec(address.url) ?? [];
  const tls = tlsFor(address.url, context);
  const settings = { ...SETTINGS, ...(origin !== undefined && settingsFor(origin, login !== null, tls)) };
  const program = new Program('git', {
    context,
    secrets,
    cleanErrorOutput: (errorOutput) => explainErrors(withoutAnswer(withoutProgress(errorOutput), origin !== undefined), address.url, path),
    args: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    env: {
      GIT_CONFIG_GLOBAL: devNull,
      GIT_SSH_COMMAND: SSH_COMMAND,
      ...programEnvironment(PASSED_VARIABLES),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: PROTOCOLS,
      // The data directory may lie within an unrelated checkout: git must not find that repository.
      GIT_CEILING_DIRECTORIES: dirname(context.directory),
      ...(tls.caFile !== undefined && { GIT_SSL_CAINFO: tls.caFile }),
      ...(login && credentialVariables(login)),
    },
  });
  const source = sourceOf(address.url, path);
  const { directory } = context;
  const route = new GitRoute(source, context, () => checkLinks(address.url, context, foldersOfGit));
  return { program, address, source, path, directory, route };
}

/** Git repeats the text of an answer that is no success, line by line: over HTTP that may be the answer of anything. */
function withoutAnswer(errorOutput: string, isOverHttp: boolean): string {
  return isOverHttp ? errorOutput.replace(/^remote: .*\n?/gm, '').trim() : errorOutput;
}

function explainErrors(errorOutput: string, url: string, path: string | undefined): string {
  return isAboutOwnership(errorOutput) ? withAdvice(errorOutput) : asWritten(url, path)(errorOutput);
}

function sourceOf(url: string, path: string | undefined): string {
  if (path === undefined || sep !== '/') return url;
  if (!/^file:/i.test(url)) return path;
  // Without slashes git takes it for a host of this name.
  return /^file:\/\//i.test(url) ? fileAddress(path) : url;
}

/** Settings for the server in the address only: one that it redirects to gets no password, and its certificate is checked. */
function settingsFor(origin: string, logsIn: boolean, { isChecked }: TlsOptions): Record<string, string> {
  return {
    ...(logsIn && { [`credential.${origin}.helper`]: CREDENTIAL_HELPER }),
    ...(!isChecked && { [`http.${origin}/.sslVerify`]: 'false' }),
  };
}

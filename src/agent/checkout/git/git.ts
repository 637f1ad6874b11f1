// The git program for one material: without settings of the machine and its users, with credentials that no command line and no file shows.
import { realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { WorkMaterial } from '../../../contracts/agent-protocol/work.ts';
import { type Address, isBroken, isLocal, parseAddress } from '../../../kit/network/repository-address.ts';
import { CREDENTIAL_HELPER, credentialVariables } from '../../../kit/process/git-credentials.ts';
import { programEnvironment, SSH_COMMAND } from '../../../kit/process/program-environment.ts';
import { CheckoutProblem } from '../problem.ts';
import { type RunOptions, Tool, type ToolContext } from '../tool.ts';
import { writeSmall } from './small-files.ts';

export type GitMaterial = Omit<Extract<WorkMaterial, { type: 'git' }>, 'type'>;

/** The operator of the agent may set these for all repositories, in its environment. */
const INHERITED_VARIABLES = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'];
const PROTOCOLS = 'http:https:ssh:git';

/** Nothing in the background, no hooks and no credential helpers of users, a pack for each fetch instead of many files. */
const SETTINGS = {
  'gc.auto': '0',
  'gc.autoDetach': 'false',
  'maintenance.auto': 'false',
  'fetch.unpackLimit': '1',
  // Copies are made anew when they turn out to be damaged.
  'core.fsync': 'none',
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'advice.detachedHead': 'false',
};

export class Git {
  readonly address: Address;
  readonly #tool: Tool;
  readonly #login: Readonly<Record<string, string>>;

  /** `settingsFile`: made by `writeSettings`. */
  constructor(material: GitMaterial, settingsFile: string, context: ToolContext) {
    const address = parseAddress(material.url, material);
    if (isBroken(address)) throw new CheckoutProblem('A user name and a password cannot hold a line break: correct those of the material.');
    const [origin] = /^https?:\/\/[^/?#]+/i.exec(address.url) ?? [];
    // Only for the host that was meant: one that sends us elsewhere does not learn the password, nor do submodules of other hosts.
    const settings = { ...SETTINGS, ...(origin && address.login && { [`credential.${origin}.helper`]: CREDENTIAL_HELPER }) };
    this.address = address;
    this.#login = address.login ? credentialVariables(address.login) : {};
    this.#tool = new Tool(
      'git',
      {
        secrets: address.secrets,
        args: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        env: {
          GIT_SSH_COMMAND: SSH_COMMAND,
          ...programEnvironment(INHERITED_VARIABLES),
          GIT_CONFIG_GLOBAL: settingsFile,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_ATTR_NOSYSTEM: '1',
          GIT_TERMINAL_PROMPT: '0',
          // Untrusted repositories name their submodules: files of this machine are only for those that come from it themselves.
          GIT_ALLOW_PROTOCOL: isLocal(address.url) ? `${PROTOCOLS}:file` : PROTOCOLS,
          GIT_NO_REPLACE_OBJECTS: '1',
        },
      },
      context,
    );
  }

  /** For commands that only work on this machine: they need no login. */
  run(args: readonly string[], options?: RunOptions): Promise<string> {
    return this.#tool.run(args, options);
  }

  /** For commands that contact a repository. */
  ask(args: readonly string[], options?: RunOptions): Promise<string> {
    return this.#tool.run(args, { ...options, env: { ...options?.env, ...this.#login } });
  }
}

/**
 * Settings for one material. A repository of this machine may belong to another user: it is read on purpose, it and no other one.
 * Git passes only settings in a file on to the process of the other side.
 */
export async function writeSettings(file: string, url: string): Promise<void> {
  const { GIT_CONFIG_GLOBAL: named } = process.env;
  const lines = [
    ...(named ? ['[include]', `\tpath = ${quoted(named)}`] : []),
    ...(isLocal(url) ? ['[safe]', ...(await safeDirectories(url)).map((path) => `\tdirectory = ${quoted(path)}`)] : []),
  ];
  writeSmall(file, `${lines.join('\n')}\n`);
}

async function safeDirectories(url: string): Promise<readonly string[]> {
  const path = /^file:\/\//i.test(url) ? fileURLToPath(url) : url;
  const real = await realpath(path).catch(() => path); // git says that it is not there
  return [...new Set([path, real].map((one) => one.replace(/(?<=.)\/+$/, '')).flatMap((one) => [one, `${one}/.git`, `${one}.git`]))];
}

export function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

// The hg program for one material: without any hgrc file, with credentials that no command line and no file shows.
import { sep } from 'node:path';
import { isHgAddress } from '../../../kit/network/repository-transports.ts';
import { ownProgramFile } from '../../../kit/process/own-program.ts';
import { programEnvironment, SSH_COMMAND } from '../../../kit/process/program-environment.ts';
import { isLocal, type Login, openAddress } from '../../addresses/address.ts';
import { type CheckedHost, connectsOverHttp, judgeAddress } from '../../addresses/check-host.ts';
import { allowedPath, checkLinks } from '../../addresses/forbidden-paths.ts';
import { asWritten, fileAddress } from '../../addresses/local-path.ts';
import { type TlsOptions, tlsFor } from '../../addresses/tls.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { Program, type RunOptions } from '../../clients/program.ts';
import { foldersOfHg, followHg } from './followed-paths.ts';
import { type HgMaterial, urlAndBranchOf } from './material.ts';

/** The settings in an untrusted repository could make it run anything, and it repeats settings that it cannot read. */
const NO_SETTINGS = { HGRCPATH: '', HGRCSKIPREPO: '1' };
/** An extension of hg that reads the login from the environment. */
const LOGIN = ownProgramFile('kit/process/hg-login.py');
/** The extension of Mercurial that limits its connections to the addresses that were judged. */
const REACH = ownProgramFile('materials/types/hg/reach.py');
const VARIABLE =
  'The address of a Mercurial repository on this machine leads through a name with a dollar sign, which hg would take for a variable.';
const NOT_ASCII = 'Mercurial only takes user names and passwords in ASCII.';

export class Hg {
  readonly url: string;
  /** The address that hg is given: for a repository of this machine, the place to which the configured address leads. */
  readonly source: string;
  readonly branch: string;
  readonly #program: Program;
  readonly #login: Login | null;

  constructor(material: HgMaterial, context: PollContext) {
    const parts = urlAndBranchOf(material);
    const { url, login, secrets } = openAddress(parts.url, material);
    if (!isHgAddress(url)) throw new MaterialProblem('Mercurial URLs must use http, https, ssh or file, or be a path of this machine.');
    const path = isLocal(url) && url.includes('$') ? url : allowedPath(url, context, followHg);
    if (path?.includes('$')) throw new MaterialProblem(VARIABLE);
    // Hg would end with a stack trace.
    if (/[^ -~]/.test(`${login?.username}${login?.password}`)) throw new MaterialProblem(NOT_ASCII);
    this.url = url;
    this.source = sourceOf(url, path);
    this.branch = parts.branch;
    this.#login = login;
    this.#program = new Program('hg', {
      context,
      secrets,
      judge: async () => {
        await checkLinks(url, context, foldersOfHg);
        return judgeAddress(url, context, connectsOverHttp(url));
      },
      pinHosts,
      cleanErrorOutput: (errorOutput) => withoutAnswer(asWritten(url, path)(errorOutput)),
      args: ['--noninteractive', '--config', `ui.ssh=${SSH_COMMAND}`, ...tlsOptions(tlsFor(url, context))],
      env: { ...programEnvironment(), HGPLAIN: '1', HGENCODING: 'UTF-8', ...NO_SETTINGS },
    });
  }

  /** For commands that stay on this machine. */
  async run(args: readonly string[], options?: RunOptions): Promise<string> {
    return (await this.#program.run(args, options)).stdout;
  }

  chunks(args: readonly string[]) {
    return this.#program.chunks(args);
  }

  records(args: readonly string[], separator: string) {
    return this.#program.records(args, separator);
  }

  /** For commands that connect to the repository, which may be remote. */
  async runRemote(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return this.run([...this.#extensions, ...args], {
      ...options,
      isRemote: true,
      // Nothing is left beside the extensions.
      env: { PYTHONDONTWRITEBYTECODE: '1', ...(this.#login && loginEnvironment(this.url, this.#login)) },
    });
  }

  get #extensions(): readonly string[] {
    const isHeld = connectsOverHttp(this.url);
    return [
      ...(isHeld ? ['--config', `extensions.slipway-reach=${REACH}`] : []),
      ...(this.#login ? ['--config', `extensions.slipway-login=${LOGIN}`] : []),
    ];
  }
}

/** A number sign would begin the name of a branch. */
function sourceOf(url: string, path: string | undefined): string {
  if (path === undefined || sep !== '/') return url;
  return path.includes('#') ? fileAddress(path) : path;
}

/** Limits the login to the server in the address. */
function loginEnvironment(url: string, { username, password }: Login): Record<string, string> {
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]+/i.exec(url) ?? [];
  return {
    SLIPWAY_HG_PREFIX: origin,
    SLIPWAY_HG_USERNAME: username,
    SLIPWAY_HG_PASSWORD: password ?? '',
  };
}

function tlsOptions({ caFile, isChecked }: TlsOptions): readonly string[] {
  return [...(caFile === undefined ? [] : ['--config', `web.cacerts=${caFile}`]), ...(isChecked ? [] : ['--insecure'])];
}

function pinHosts([judged]: readonly CheckedHost[]): Record<string, string> {
  return judged ? { SLIPWAY_HG_HOST: judged.host, SLIPWAY_HG_ADDRESSES: judged.addresses.join(' ') } : {};
}

/** When an answer is not that of a repository, hg repeats its beginning. */
function withoutAnswer(errorOutput: string): string {
  return errorOutput.replace(/:?\n?---%<---.*$/s, '.');
}

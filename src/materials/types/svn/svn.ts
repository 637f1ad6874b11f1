// The svn program for one material: never prompts, stores nothing, and gets the password where no other user of the machine sees it.

import { isSvnAddress } from '../../../kit/network/repository-transports.ts';
import { programEnvironment, SSH_COMMAND } from '../../../kit/process/program-environment.ts';
import { openAddress } from '../../addresses/address.ts';
import { judgeAddress } from '../../addresses/check-host.ts';
import { allowedPath, checkLinks } from '../../addresses/forbidden-paths.ts';
import { type TlsOptions, tlsFor } from '../../addresses/tls.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { Program, type RunOptions } from '../../clients/program.ts';
import { foldersOfSvn } from './followed-paths.ts';
import type { SvnMaterial } from './material.ts';
import { mustStayAtServer } from './redirects.ts';

const ANY_CERTIFICATE = '--trust-server-cert-failures=unknown-ca,cn-mismatch,expired,not-yet-valid,other';

const OVER_HTTP = /^https?:/i;
/** Svn takes a user name only on the command line, which every user of the machine can see. */
const LONE_NAME =
  'The part before the @ of the address may be a token, and svn would show it to every user of this machine. Send the user name and the password as fields of their own.';

export class Svn {
  /** The URL with an at sign at its end, so that svn takes none that is part of it for the beginning of a revision. */
  readonly target: string;
  readonly url: string;
  readonly #program: Program;
  readonly #options: readonly string[];
  readonly #input: string | undefined;

  constructor(material: SvnMaterial, context: PollContext) {
    const { url, login, secrets } = openAddress(material.url, material);
    if (!isSvnAddress(url)) throw new MaterialProblem('Subversion URLs must use http, https, svn, svn+ssh or file.');
    if (material.url !== url && login?.password === null && OVER_HTTP.test(url)) throw new MaterialProblem(LONE_NAME);
    const pathRules = { ...context, isLimitedToFolders: context.isLimitedToFolders || material.isExternal === true };
    allowedPath(url, pathRules);
    this.url = url;
    this.target = `${url}@`;
    this.#input = login ? `${login.password ?? ''}\n` : undefined;
    this.#options = [
      '--non-interactive',
      '--no-auth-cache',
      ...(login ? [`--username=${login.username}`, '--password-from-stdin'] : []),
      ...tlsOptions(tlsFor(url, context)),
    ];
    const env = { SVN_SSH: SSH_COMMAND, ...programEnvironment(['SVN_SSH']) };
    const judge = async () => {
      await checkLinks(url, pathRules, foldersOfSvn);
      const hosts = await judgeAddress(url, context);
      if (login && OVER_HTTP.test(url)) await mustStayAtServer(url, login, secrets, context);
      return hosts;
    };
    this.#program = new Program('svn', { context, secrets, env, judge });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.#program.run(this.#withOptions(args), this.#asking(options))).stdout;
  }

  chunks(args: readonly string[], options: RunOptions = {}) {
    return this.#program.chunks(this.#withOptions(args), this.#asking(options));
  }

  records(args: readonly string[], separator: string, options: RunOptions & { readonly maxRecordBytes?: number } = {}) {
    return this.#program.records(this.#withOptions(args), separator, this.#asking(options));
  }

  #asking<T extends RunOptions>(options: T): T & RunOptions {
    return { ...options, input: this.#input, isRemote: true };
  }

  #withOptions([command, ...args]: readonly string[]): readonly string[] {
    return [command!, ...this.#options, ...args];
  }
}

function tlsOptions({ caFile, isChecked }: TlsOptions): readonly string[] {
  return [
    ...(caFile === undefined ? [] : [`--config-option=servers:global:ssl-authority-files=${caFile}`]),
    ...(isChecked ? [] : [ANY_CERTIFICATE]),
  ];
}

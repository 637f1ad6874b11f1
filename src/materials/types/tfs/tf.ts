// The tf program (Team Explorer Everywhere) for one material. Its commands are given on standard input, for one of their words is the password.

import { programEnvironment } from '../../../kit/process/program-environment.ts';
import { openAddress } from '../../addresses/address.ts';
import { judgeAddress } from '../../addresses/check-host.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { Program, type RunOptions } from '../../clients/program.ts';
import type { TfsMaterial } from './material.ts';

/** Variables that are passed on: the program runs on Java. */
const PASSED_VARIABLES = ['JAVA_HOME', 'TF_ADDITIONAL_JAVA_ARGS'];

export class Tf {
  readonly #program: Program;
  readonly #common: readonly string[];

  constructor({ url, username, password, domain, projectPath }: TfsMaterial, context: PollContext) {
    // Anything else could be an option.
    if (!projectPath.startsWith('$/')) throw new MaterialProblem('A project path begins with `$/`.');
    const address = openAddress(url, { username, password });
    const login = address.login ?? { username, password: password ?? null };
    const user = domain ? `${domain}\\${login.username}` : login.username;
    this.#common = [`-collection:${address.url}`, `-login:${user},${login.password ?? ''}`, '-noprompt'];
    this.#program = new Program('tf', {
      context,
      secrets: address.secrets,
      env: { ...programEnvironment(PASSED_VARIABLES), TF_BYPASS_BROWSER_LOGIN: 'TRUE' },
      judge: () => judgeAddress(address.url, context),
    });
  }

  /** Each of the commands, until one fails. */
  async run(commands: readonly (readonly string[])[], options: RunOptions = {}): Promise<string> {
    return (await this.#program.run(['@'], { ...options, input: this.#script(commands), isRemote: true })).stdout;
  }

  records(command: readonly string[], separator: string, options: RunOptions & { readonly maxRecordBytes?: number } = {}) {
    return this.#program.records(['@'], separator, { ...options, input: this.#script([command]), isRemote: true });
  }

  #script(commands: readonly (readonly string[])[]): string {
    return commands.map(([name, ...args]) => `${[name!, ...this.#common, ...args].map(quoted).join(' ')}\n`).join('');
  }
}

/** In command files a quote within quotes is written twice, and nothing else has a meaning. */
function quoted(word: string): string {
  if (/[\r\n]/.test(word)) throw new MaterialProblem('The settings of the repository must not contain line breaks.');
  return `"${word.replaceAll('"', '""')}"`;
}

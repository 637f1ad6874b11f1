// The hg program for one material: without anybody's settings, with credentials in a file that only lives as long as the command.
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Login, openAddress } from '../address.ts';
import { MaterialProblem, type Surroundings, type TlsOptions } from '../client.ts';
import { mustBeOpen } from '../closed-ground.ts';
import { programEnvironment, SSH_COMMAND } from '../environment.ts';
import { Program, type RunOptions } from '../program.ts';
import { type HgMaterial, placeOf } from './material.ts';

const LOGIN_FILE = 'hgrc-';
const OWNER_ONLY = 0o600;
/** The program knows more: bundles, unions of repositories, schemes that its extensions add. */
const OTHER_SCHEME = /^(?!(?:https?|ssh|file):)[a-z][a-z0-9+.-]+:/i;
const NOT_ASCII = 'Mercurial only takes user names and passwords in ASCII.';

export class Hg {
  readonly url: string;
  readonly branch: string;
  readonly #program: Program;
  readonly #directory: string;
  readonly #login: Login | null;

  constructor(material: HgMaterial, surroundings: Surroundings) {
    const place = placeOf(material);
    const { url, login, secrets } = openAddress(place.url, material);
    if (OTHER_SCHEME.test(url))
      throw new MaterialProblem('Mercurial repositories are looked at over http, https, ssh, or as files of this machine.');
    mustBeOpen(url, surroundings);
    // It would end with a page of its own inner life.
    if (/[^ -~]/.test(`${login?.username}${login?.password}`)) throw new MaterialProblem(NOT_ASCII);
    this.url = url;
    this.branch = place.branch;
    this.#login = login;
    this.#directory = surroundings.directory;
    this.#program = new Program('hg', {
      surroundings,
      secrets,
      words: ['--noninteractive', '--config', `ui.ssh=${SSH_COMMAND}`, ...tlsOptions(material.tls)],
      env: { ...programEnvironment(), HGPLAIN: '1', HGENCODING: 'UTF-8', HGRCPATH: '' },
    });
  }

  /** For what stays on this machine. */
  async run(words: readonly string[], options?: RunOptions): Promise<string> {
    return (await this.#program.run(words, options)).stdout;
  }

  chunks(words: readonly string[]) {
    return this.#program.chunks(words);
  }

  records(words: readonly string[], separator: string) {
    return this.#program.records(words, separator);
  }

  /** For what asks the repository itself. */
  async ask(words: readonly string[], options: RunOptions = {}): Promise<string> {
    this.#removeLogins();
    if (!this.#login) return this.run(words, options);
    const file = join(this.#directory, `${LOGIN_FILE}${randomUUID()}`);
    try {
      writeFileSync(file, settingsFor(this.url, this.#login), { mode: OWNER_ONLY, flag: 'wx' });
      return await this.run(words, { ...options, env: { HGRCPATH: file } });
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Left behind when the server ended in the middle of a command. */
  #removeLogins(): void {
    for (const name of readdirSync(this.#directory)) if (name.startsWith(LOGIN_FILE)) rmSync(join(this.#directory, name));
  }
}

/** Only for the server it was meant for. */
function settingsFor(url: string, { username, password }: Login): string {
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]+/i.exec(url) ?? [];
  return `[auth]\nslipway.prefix = ${origin}\nslipway.username = ${username}\nslipway.password = ${password ?? ''}\n`;
}

function tlsOptions(tls: TlsOptions | undefined): readonly string[] {
  return [
    ...(tls?.caFile === undefined ? [] : ['--config', `web.cacerts=${tls.caFile}`]),
    ...(tls?.isChecked === false ? ['--insecure'] : []),
  ];
}

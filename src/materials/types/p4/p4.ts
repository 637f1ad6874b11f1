// The p4 program for one material: its own client workspace, and the password only in the environment or on standard input.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { isP4Port } from '../../../kit/network/repository-transports.ts';
import { clientSpec } from '../../../kit/p4/client-spec.ts';
import { LOGGED_OUT, UNTRUSTED } from '../../../kit/p4/messages.ts';
import { CommandFailure, CommandStopped } from '../../../kit/process/command.ts';
import { programEnvironment } from '../../../kit/process/program-environment.ts';
import { openAddress, redactor } from '../../addresses/address.ts';
import { judgeHost } from '../../addresses/check-host.ts';
import { perforceHost } from '../../addresses/remote-host.ts';
import { tlsFor } from '../../addresses/tls.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import { Program, type RunOptions } from '../../clients/program.ts';
import { type Dictionary, DictionaryReader } from './marshal.ts';
import type { P4Material } from './material.ts';

const UNKNOWN_CLIENT = /^Client '.*' unknown/m;
/** The administrator runs `p4 trust`, which stores the fingerprints of servers in a file that may be outside the home directory. */
const PASSED_VARIABLES = ['P4CHARSET', 'P4TRUST'];
/** From here on something went wrong; below are hints, such as that nothing was found. */
const FAILED = 3;
const HINTS = new Set(['error', 'info']);

export class P4 {
  readonly clientName: string;
  readonly #material: P4Material;
  readonly #root: string;
  readonly #program: Program;
  readonly #redact: (text: string) => string;
  #mayLogIn: boolean;
  #mayTrust: boolean;
  #mayMakeClient = true;

  /** `root` is the directory of the client workspace. */
  constructor(material: P4Material, root: string, context: PollContext) {
    const { username, password, useTickets, port } = material;
    // The program would also take a command to be run: `rsh:`.
    if (!isP4Port(port)) throw new MaterialProblem('Perforce ports must use tcp or ssl: `[tcp:|ssl:]host:port`.');
    const { secrets } = openAddress('', { username: username || 'nobody', password });
    this.clientName = `slipway-${hostname()}-${sha256(root).slice(0, 16)}`;
    this.#material = material;
    this.#root = root;
    this.#redact = redactor(secrets);
    this.#mayLogIn = useTickets && Boolean(password);
    this.#mayTrust = !tlsFor(port, context).isChecked;
    this.#program = new Program('p4', {
      context,
      secrets,
      judge: async () => [await judgeHost(perforceHost(port), context)],
      env: {
        ...programEnvironment(PASSED_VARIABLES),
        P4PORT: port,
        P4CLIENT: this.clientName,
        P4CONFIG: 'noconfig',
        P4ENVIRO: join(context.directory, 'p4enviro'),
        P4TICKETS: join(context.directory, 'p4tickets'),
        // The trust file of the administrator counts, unless any certificate will do: then trust is noted in a file of its own.
        ...(this.#mayTrust && { P4TRUST: join(context.directory, 'p4trust') }),
        ...(username && { P4USER: username }),
        ...(password && !useTickets && { P4PASSWD: password }),
      },
    });
  }

  /** The answers of a command, as they come. */
  ask(args: readonly string[], options: RunOptions = {}): AsyncGenerator<readonly Dictionary[], void> {
    return this.#asked(args, options, 'utf8');
  }

  async *#asked(args: readonly string[], options: RunOptions, encoding: BufferEncoding): AsyncGenerator<readonly Dictionary[], void> {
    for (;;) {
      let isBegun = false;
      try {
        for await (const some of this.#answers(args, options, encoding)) {
          isBegun = true;
          yield some;
        }
        return;
      } catch (failure) {
        if (isBegun || !(await this.#canHelp(failure))) throw failure;
      }
    }
  }

  /** The contents of files, each in pieces after its description. Every character is a byte. */
  print(files: readonly string[]): AsyncGenerator<readonly Dictionary[], void> {
    return this.#asked(['-x', '-', 'print'], { input: files.map((file) => `${file}\n`).join('') }, 'latin1');
  }

  async askAll(args: readonly string[], options?: RunOptions): Promise<Dictionary[]> {
    const all: Dictionary[] = [];
    for await (const some of this.ask(args, options)) all.push(...some);
    return all;
  }

  /** Sends the spec of the client workspace to the server. */
  async makeClient(): Promise<void> {
    this.#mayMakeClient = false;
    for (;;) {
      try {
        // Forms and marshalled answers do not go together.
        await this.#program.run(['client', '-i'], { input: this.clientSpec, isQuick: true, isRemote: true });
        return;
      } catch (failure) {
        if (!(await this.#canHelp(failure))) throw failure;
      }
    }
  }

  get clientSpec(): string {
    return clientSpec(this.clientName, this.#root, this.#material.view);
  }

  async *#answers(args: readonly string[], options: RunOptions, encoding: BufferEncoding): AsyncGenerator<readonly Dictionary[], void> {
    const reader = new DictionaryReader(encoding);
    try {
      for await (const chunk of this.#program.chunks(['-G', ...args], { ...options, printsProgress: true, isRemote: true })) {
        const some = this.#checked(reader.take(chunk));
        if (some.length > 0) yield some;
      }
    } catch (failure) {
      // Its answer has named the problem, and it ends with a status that says less.
      if (failure instanceof CommandFailure && !(failure instanceof CommandStopped) && failure.stderr === '') this.#checked(reader.rest());
      throw failure;
    }
    const last = this.#checked(reader.rest());
    if (last.length > 0) yield last;
  }

  #checked(dictionaries: readonly Dictionary[]): Dictionary[] {
    const wrong = dictionaries.find((one) => one.get('code') === 'error' && Number(one.get('severity')) >= FAILED);
    if (wrong) throw new MaterialProblem(this.#redact((wrong.get('data') ?? 'p4 failed').trim()));
    return dictionaries.filter((one) => !HINTS.has(one.get('code') ?? ''));
  }

  /** Once for each reason. */
  async #canHelp(failure: unknown): Promise<boolean> {
    const message = failure instanceof CommandFailure ? failure.stderr : failure instanceof MaterialProblem ? failure.message : '';
    if (this.#mayTrust && UNTRUSTED.test(message)) {
      this.#mayTrust = false;
      await this.#program.run(['trust', '-y', '-f'], { isQuick: true, isRemote: true });
      return true;
    }
    if (this.#mayMakeClient && UNKNOWN_CLIENT.test(message)) {
      await this.makeClient();
      return true;
    }
    if (!this.#mayLogIn || !LOGGED_OUT.test(message)) return false;
    this.#mayLogIn = false;
    await this.#program.run(['login'], { input: `${this.#material.password}\n`, isQuick: true, isRemote: true });
    return true;
  }
}

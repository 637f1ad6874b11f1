// A program for repositories, ready to be run for one material: bound to its limits, and silent about its secrets.
import { type CommandResult, runCommand, streamCommand, streamRecords } from '../../kit/process/command.ts';
import { redactor } from '../addresses/address.ts';
import type { CheckedHost } from '../addresses/check-host.ts';
import type { PollContext } from './client.ts';

export interface ProgramOptions {
  readonly context: PollContext;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Words that stand before those of each command. */
  readonly args?: readonly string[];
  /** Asked before the first command that asks the repository: throws when that is where this server must not go. */
  readonly judge?: () => Promise<readonly CheckedHost[]>;
  /** The environment that holds the program to the hosts that were judged. */
  readonly pinHosts?: (hosts: readonly CheckedHost[]) => Readonly<Record<string, string>>;
  /** Rewrites the error output, for example without progress messages. */
  readonly cleanErrorOutput?: (errorOutput: string) => string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** Instead of the signal of the context. */
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command asks the repository, perhaps over the network. */
  readonly isRemote?: boolean;
  readonly maxOutputBytes?: number;
  /** Whether the server answers in a moment or never: the program may run for `responseTimeoutMs` only. */
  readonly isQuick?: boolean;
  /** Whether the program prints as it works: silence for `responseTimeoutMs` means that the remote server does not answer. */
  readonly printsProgress?: boolean;
  /** Called whenever the program prints something. */
  readonly onActivity?: () => void;
}

/** A message of a commit, a path; longer ones are cut. */
const MAX_RECORD_BYTES = 1024 * 1024;

export class Program {
  readonly #name: string;
  readonly #options: ProgramOptions;
  #judged: Promise<readonly CheckedHost[]> | undefined;

  constructor(name: string, options: ProgramOptions) {
    this.#name = name;
    this.#options = options;
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    return runCommand(this.#name, this.#allArgs(args), this.#commandOptions(await this.#judgedOptions(options)));
  }

  async *chunks(args: readonly string[], options: RunOptions = {}): AsyncGenerator<Buffer, void> {
    yield* streamCommand(this.#name, this.#allArgs(args), this.#commandOptions(await this.#judgedOptions(options)));
  }

  async *records(
    args: readonly string[],
    separator: string,
    options: RunOptions & { readonly maxRecordBytes?: number } = {},
  ): AsyncGenerator<readonly string[], void> {
    const { maxRecordBytes = MAX_RECORD_BYTES } = options;
    const judged = this.#commandOptions(await this.#judgedOptions(options));
    yield* streamRecords(this.#name, this.#allArgs(args), { ...judged, separator, maxRecordBytes });
  }

  async #judgedOptions(options: RunOptions): Promise<RunOptions> {
    const { judge, pinHosts } = this.#options;
    if (!options.isRemote || !judge) return options;
    this.#judged ??= judge();
    const hosts = await this.#judged;
    return { ...options, env: { ...options.env, ...pinHosts?.(hosts) } };
  }

  #allArgs(args: readonly string[]): readonly string[] {
    return [...(this.#options.args ?? []), ...args];
  }

  #commandOptions({ cwd, input, signal, env, maxOutputBytes, isQuick, printsProgress, onActivity }: RunOptions) {
    const { context, secrets, env: own, cleanErrorOutput } = this.#options;
    const redact = redactor(secrets);
    const { timeoutMs, responseTimeoutMs = timeoutMs } = context.limits;
    return {
      cwd: cwd ?? context.directory,
      env: { ...own, ...env },
      input,
      signal: signal ?? context.signal,
      timeoutMs: isQuick ? responseTimeoutMs : timeoutMs,
      ...(printsProgress && { silenceMs: responseTimeoutMs }),
      maxOutputBytes,
      onActivity: () => {
        context.onActivity();
        onActivity?.();
      },
      redact: (errorOutput: string) => redact(cleanErrorOutput?.(errorOutput) ?? errorOutput),
    };
  }
}

// Runs a command of the command line in the process of a test.
import { PassThrough, Readable, Writable } from 'node:stream';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import type { Environment } from '../../../src/cli/terminal/context.ts';

export interface Ending {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  readonly bytes: Buffer;
}

export interface Terminal {
  readonly environment?: Environment;
  readonly directory?: string;
  /** The content of standard input. */
  readonly input?: string;
  /** The answers that the user types at a terminal, one after the other. */
  readonly typed?: readonly string[];
  /** Whether the output is a terminal. */
  readonly isTTY?: boolean;
  /** How wide it is. */
  readonly columns?: number;
  /** Gets the output to standard error, piece by piece. */
  readonly onErr?: (text: string) => unknown;
}

export async function slipway(args: readonly string[], terminal: Terminal = {}): Promise<Ending> {
  const { environment = {}, directory = process.cwd(), input = '', typed, isTTY = false, columns = 120, onErr } = terminal;
  const [out, err] = [new Collected(isTTY, columns), new Collected(isTTY, columns, onErr)];
  const keyboard = typed && new PassThrough();
  for (const answer of typed ?? []) keyboard?.write(`${answer}\r`);
  const context = {
    environment,
    directory,
    input: keyboard ? Object.assign(keyboard, { isTTY: true }) : Readable.from(input === '' ? [] : [input]),
    out,
    err,
  };
  const status = await runCommandLine(args, COMMANDS, context);
  return { status, out: out.bytes.toString(), err: err.bytes.toString(), bytes: out.bytes };
}

class Collected extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #chunks: Buffer[] = [];
  readonly #onText: ((text: string) => unknown) | undefined;

  constructor(isTTY: boolean, columns: number, onText?: (text: string) => unknown) {
    super();
    this.#onText = onText;
    this.isTTY = isTTY;
    this.columns = columns;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    this.#onText?.(chunk.toString());
    done();
  }
}

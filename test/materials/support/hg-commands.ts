// Commands of Mercurial from one process that stays: starting hg takes longer than running most commands.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { SerialQueue } from '../../../src/kit/concurrency/serial-queue.ts';

type Server = ChildProcessByStdio<Writable, Readable, null>;

/** The channel and the length with which each message of the command server begins. */
const HEAD_BYTES = 5;

export class HgCommands {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #queue = new SerialQueue();
  #server: Server | undefined;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Returns the output of a command; throws when the command fails. One runs at a time. */
  run(directory: string, args: readonly string[]): Promise<string> {
    return this.#queue.run(() => this.#runNow(directory, args));
  }

  async #runNow(directory: string, args: readonly string[]): Promise<string> {
    const server = (this.#server ??= await this.#start());
    hold(server, true);
    try {
      return await answerOf(server, ['--cwd', directory, ...args]);
    } finally {
      hold(server, false);
    }
  }

  async #start(): Promise<Server> {
    const server = await started(this.#environment);
    // A test that ends all programs of a job may end this one with them: the next command starts another.
    server.once('exit', () => (this.#server = undefined));
    return server;
  }
}

async function started(environment: NodeJS.ProcessEnv): Promise<Server> {
  const server = spawn('hg', ['serve', '--cmdserver', 'pipe'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  const messages = messagesOf(server);
  await messages.next(); // its greeting
  return server;
}

async function answerOf(server: Server, args: readonly string[]): Promise<string> {
  const bytes = Buffer.from(args.join('\0'));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  server.stdin.write(Buffer.concat([Buffer.from('runcommand\n'), length, bytes]));
  const printed: Record<string, Buffer[]> = { o: [], e: [] };
  for await (const { channel, data } of messagesOf(server)) {
    if (channel !== 'r') {
      printed[channel]?.push(data);
      continue;
    }
    const [out, errors] = [Buffer.concat(printed.o!).toString(), Buffer.concat(printed.e!).toString()];
    if (data.readInt32BE() !== 0) throw new Error(`hg ${args.join(' ')} ended with ${data.readInt32BE()}: ${errors}${out}`);
    return out;
  }
  throw new Error(`hg ended in the middle of ${args.join(' ')}`);
}

interface Message {
  /** `o` for output, `e` for errors, `r` for the result. */
  readonly channel: string;
  readonly data: Buffer;
}

async function* messagesOf(server: Server): AsyncGenerator<Message> {
  let unread = Buffer.alloc(0);
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    unread = Buffer.concat([unread, chunk]);
    while (unread.length >= HEAD_BYTES && unread.length >= HEAD_BYTES + unread.readUInt32BE(1)) {
      const end = HEAD_BYTES + unread.readUInt32BE(1);
      yield { channel: unread.toString('latin1', 0, 1), data: unread.subarray(HEAD_BYTES, end) };
      unread = unread.subarray(end);
    }
  }
}

/** Only a command keeps the process of the test from ending; the server ends with it, for its input ends. */
function hold(server: Server, isHeld: boolean): void {
  for (const part of [server, server.stdin, server.stdout]) {
    if (part instanceof Socket || part === server) part[isHeld ? 'ref' : 'unref']();
  }
}

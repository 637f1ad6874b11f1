// The console of one job: lines of the agent itself and the output of programs, masked, numbered by bytes, and sent to the server.
import type { Readable } from 'node:stream';
import { LineEnds, LineWriter, linesOf } from './line-writer.ts';
import { Mask, masked, SecretPatterns } from './mask.ts';
import { ConsoleSender, type Deliver } from './sender.ts';
import { Spool } from './spool.ts';
import type { Tag } from './tags.ts';

export interface ConsoleParts {
  readonly spoolFile: string;
  readonly secrets: readonly string[];
  readonly deliver: Deliver;
  /** The server wants nothing more of this job. */
  readonly onRefused: () => void;
  /** The disk takes no more. */
  readonly onBroken: (failure: Error) => void;
}

export class JobConsole {
  readonly #patterns: SecretPatterns;
  readonly #spool: Spool;
  readonly #sender: ConsoleSender;

  constructor({ spoolFile, secrets, deliver, onRefused, onBroken }: ConsoleParts) {
    this.#patterns = new SecretPatterns(secrets);
    this.#spool = new Spool(spoolFile, onBroken);
    this.#sender = new ConsoleSender(this.#spool, deliver, onRefused);
  }

  /** Lines of the agent, or of a program that it reads itself. */
  line(tag: Tag, text: string): void {
    this.#append(linesOf(tag, masked(this.#patterns, text), new Date()), false);
  }

  /** A fixed line: with the name of the product in front. */
  notice(tag: Tag, text: string): void {
    this.line(tag, `[Slipway] ${text}`);
  }

  /** Takes all output of a stream; `onText` gets the written lines. The first line is sent at once. Ends with the stream. */
  async take(stream: Readable, tag: Tag, onText?: (lines: Buffer) => void): Promise<void> {
    const [ends, mask, writer] = [new LineEnds(), new Mask(this.#patterns), new LineWriter(tag)];
    let isFirst = true;
    const append = (lines: Buffer | undefined) => {
      if (!lines) return;
      onText?.(lines);
      this.#append(lines, isFirst);
      isFirst = false;
    };
    stream.on('data', (chunk: Buffer) => {
      append(writer.write(mask.write(ends.write(chunk)), new Date()));
      if (this.#sender.isFull) this.#pause(stream);
    });
    // A stream that breaks has ended, too: its process is dead or cut off.
    await new Promise<void>((resolve) => stream.once('error', () => resolve()).once('close', resolve));
    append(writer.write(mask.end(), new Date()));
    append(writer.end(new Date()));
  }

  /** Until the server has all of it. */
  delivered(): Promise<void> {
    return this.#sender.delivered();
  }

  /** Nothing more is sent, and `delivered` does not wait for the server any more. */
  stopSending(): void {
    this.#sender.stop();
  }

  /** Nothing is kept. */
  close(): void {
    this.#sender.stop();
    this.#spool.remove();
  }

  #pause(stream: Readable): void {
    stream.pause();
    void this.#sender.room().then(() => stream.resume());
  }

  #append(lines: Buffer, isUrgent: boolean): void {
    this.#spool.append(lines);
    this.#sender.appended(isUrgent);
  }
}

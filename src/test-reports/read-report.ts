// Reads one report as it comes, and hands on the tests in it. No content makes it throw: an invalid file ends with a message.
import type { Readable } from 'node:stream';
import { chunksOf } from '../kit/chunks.ts';
import { pause } from '../kit/concurrency/time-slices.ts';
import { XmlStream } from '../kit/xml/stream-xml.ts';
import { decoderFor, START_BYTES } from './encoding.ts';
import { MAX_FILE_BYTES, XML_LIMITS } from './limits.ts';
import { ReportHandler } from './report-handler.ts';
import type { TestResult } from './result.ts';

/** Bytes that are read in one go: about a millisecond of work. */
const STEP = 32 * 1024;
/** Tests that are handed over at once: they are written together. */
const MAX_AT_ONCE = 500;

export const TOO_LARGE = `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`;
const EMPTY = 'The file is empty.';

/**
 * `take` is given tests as they are found, and says whether more are wanted. Returns why the file was not read to its end, if it was not:
 * the tests found before are valid. Rejects only when the bytes cannot be had, or `take` rejects.
 */
export async function readReport(
  bytes: Readable | AsyncIterable<Buffer>,
  take: (results: readonly TestResult[]) => Promise<boolean>,
): Promise<string | undefined> {
  let found: TestResult[] = [];
  const handler = new ReportHandler((result) => found.push(result));
  const handOver = async (): Promise<boolean> => {
    const results = found;
    found = [];
    for (const some of chunksOf(results, MAX_AT_ONCE)) {
      if (!(await take(some))) return false;
      await pause();
    }
    return true;
  };
  const text = new ReportText(handler);
  for await (const piece of steps(bytes)) {
    const problem = text.write(piece) ?? handler.problem;
    if (problem !== undefined) {
      handler.end();
      await handOver();
      return problem;
    }
    if (!(await handOver())) return undefined;
    await pause();
  }
  const problem = text.end() ?? handler.problem;
  handler.end();
  await handOver();
  return problem;
}

/** Decodes the bytes of a file for the XML parser, and returns the problem of the file. */
class ReportText {
  readonly #xml: XmlStream;
  #start = Buffer.alloc(0);
  #decoder: TextDecoder | undefined;
  #length = 0;

  constructor(handler: ReportHandler) {
    this.#xml = new XmlStream(handler, XML_LIMITS);
  }

  write(piece: Buffer): string | undefined {
    this.#length += piece.length;
    if (this.#length > MAX_FILE_BYTES) return TOO_LARGE;
    if (this.#decoder) return this.#xml.write(this.#decoder.decode(piece, { stream: true }));
    this.#start = Buffer.concat([this.#start, piece]);
    return this.#start.length < START_BYTES ? undefined : this.#begin();
  }

  end(): string | undefined {
    if (this.#length === 0) return EMPTY;
    const problem = this.#decoder ? undefined : this.#begin();
    return problem ?? this.#xml.write(this.#decoder?.decode() ?? '') ?? this.#xml.end();
  }

  #begin(): string | undefined {
    const found = decoderFor(this.#start);
    if ('problem' in found) return found.problem;
    this.#decoder = found.decoder;
    return this.#xml.write(this.#decoder.decode(this.#start, { stream: true }));
  }
}

async function* steps(bytes: Readable | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    const buffer: Buffer = chunk;
    for (let start = 0; start < buffer.length; start += STEP) yield buffer.subarray(start, start + STEP);
  }
}

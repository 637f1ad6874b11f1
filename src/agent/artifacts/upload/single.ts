// One large file in one request, and in more of them after cuts: each goes on where the server says.
import { ARTIFACT_FILE_PATH, type ArtifactFile } from '../../../contracts/agent-protocol/messages.ts';
import { BackOff } from '../../server/back-off.ts';
import { type Answer, messageOf } from '../../server/server-client.ts';
import { type ArtifactContext, ArtifactFailure } from '../context.ts';
import { FileChanged, type LargeFile, type LargeFiles } from '../files/large-file.ts';
import type { FoundFile } from '../files/walk.ts';
import { ARTIFACT_TIMEOUT_MS, answered, lengthIn, pathFor, Replies } from '../requests.ts';
import { fileChanged } from './archive.ts';
import { uploadDenied } from './upload-denied.ts';

const ATTEMPTS = 3;

export interface SingleParts extends ArtifactContext {
  readonly files: LargeFiles;
  /** Called with the number of bytes that were sent since the last call. */
  readonly onSent: (bytes: number) => void;
}

/** A file that changes meanwhile is sent again. */
export async function sendSingle(found: FoundFile, parts: SingleParts): Promise<ArtifactFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(found, parts);
    } catch (failure) {
      if (!(failure instanceof FileChanged)) throw failure;
      if (attempt === ATTEMPTS) throw new ArtifactFailure(fileChanged(found.name));
    }
  }
}

async function sendOnce({ real, name, path }: FoundFile, parts: SingleParts): Promise<ArtifactFile> {
  const file = await parts.files.open(real, name);
  try {
    await new FileSender(file, { path, name, parts }).run();
    return { path, bytes: file.bytes, ...(await file.finish()) };
  } finally {
    await file.close();
  }
}

interface SendingParts {
  readonly path: string;
  readonly name: string;
  readonly parts: SingleParts;
}

class FileSender {
  readonly #file: LargeFile;
  readonly #to: SendingParts;
  readonly #backOff = new BackOff();
  readonly #replies = new Replies();
  /** How many the server has; undefined: it has to be asked. */
  #length: number | undefined = 0;
  /** The most that it had. */
  #most = 0;

  constructor(file: LargeFile, to: SendingParts) {
    this.#file = file;
    this.#to = to;
  }

  async run(): Promise<void> {
    const { signal } = this.#to.parts;
    // Also once for a file that has become empty.
    for (let isFirst = true; isFirst || this.#length !== this.#file.bytes; isFirst = false) {
      signal.throwIfAborted();
      const from = this.#length;
      const answer = await answered(() => (from === undefined ? this.#ask() : this.#send(from)));
      signal.throwIfAborted();
      await this.#handleAnswer(answer, from);
    }
  }

  /** Nothing is sent: the answer says how much is there. */
  #ask(): Promise<Answer> {
    return this.#put(this.#file.bytes, 0, nothing());
  }

  #send(from: number): Promise<Answer> {
    return this.#put(from, this.#file.bytes - from, counted(this.#file.pieces(from), this.#to.parts.onSent));
  }

  #put(offset: number, length: number, body: AsyncIterable<Uint8Array>): Promise<Answer> {
    const { path, parts } = this.#to;
    return parts.client.upload({
      method: 'PUT',
      path: pathFor(ARTIFACT_FILE_PATH, parts, { path, offset: String(offset) }),
      headers: { 'Content-Length': length, 'X-Svc-Artifact-Size': this.#file.bytes },
      body,
      timeoutMs: ARTIFACT_TIMEOUT_MS,
      signal: parts.signal,
    });
  }

  async #handleAnswer(answer: Answer | undefined, from: number | undefined): Promise<void> {
    const reply = this.#replies.of(answer);
    if (reply === 'full') throw new ArtifactFailure(uploadDenied(this.#to.name, this.#file.bytes));
    if (answer && reply === 'refused') throw new ArtifactFailure(messageOf(answer));
    const length = answer && lengthIn(answer);
    // More than was ever sent is of another file: begin anew.
    this.#length = length !== undefined && length > this.#file.seen ? 0 : length;
    if (this.#length !== undefined && this.#length > this.#most) {
      this.#most = this.#length;
      this.#backOff.reset();
      this.#to.parts.retryBudget.noteProgress();
    } else if (this.#length === undefined || from !== undefined) {
      if (answer && this.#length !== this.#file.bytes) this.#to.parts.retryBudget.noteFailure(answer);
      await this.#backOff.pause(this.#to.parts.signal);
    }
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* counted(pieces: AsyncIterable<Buffer>, onSent: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece;
    onSent(piece.length);
  }
}

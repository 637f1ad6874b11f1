// A console that is being written: the bytes of the agent, each once, and between them lines of the server.
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobIdentifier } from '../../artifacts/stage-run.ts';
import { CoalescedTask } from '../../kit/concurrency/coalesced-task.ts';
import { SerialQueue } from '../../kit/concurrency/serial-queue.ts';
import { makeFolder, openToWrite, syncFolder } from '../../kit/files/without-links.ts';
import { Refusal } from '../../kit/refusal.ts';
import { consoleFolderOf, JOURNAL_NAME, LOG_NAME } from './console-folder.ts';
import { type Insertion, type Journal, readJournal, withInsertion, writeEntry } from './journal.ts';

/** How many bytes of the agent are there; of a chunk that would leave a gap nothing was taken. */
export type AppendResult = { readonly length: number } | { readonly gap: number };

export interface Chunk {
  readonly epoch: number;
  /** When the stage run of the job began; undefined: it is not compared. */
  readonly since: number | undefined;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface WritingParts {
  readonly root: string;
  readonly maxBytes: number;
  /** The line that stands where the rest was dropped. */
  readonly fullLine: () => string;
  /** The line between the output of another stage run of the same number and the output of this one. */
  readonly otherRunLine: () => string;
  /** There is more to read. */
  readonly onGrown: () => void;
}

const OTHER_EPOCH = 'This job was given to another agent since.';
const TOO_MUCH_ADDED = 'Too much was added to this console by others than its agent.';
/** Maximum size of a journal: it is read whole when the console is opened. */
const MAX_JOURNAL_BYTES = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

export class WrittenConsole {
  readonly #parts: WritingParts;
  readonly #folder: string;
  readonly #log: FileHandle;
  readonly #sync = new CoalescedTask(() => this.#syncNow());
  #journal: Journal;
  #length: number;
  #synced: number;
  #endsLine: boolean;
  readonly #queue = new SerialQueue();
  /** The file on disk may differ from the state in memory: it is to be opened anew. */
  isBroken = false;

  private constructor(parts: WritingParts, folder: string, log: FileHandle, journal: Journal, length: number, endsLine: boolean) {
    this.#parts = parts;
    this.#folder = folder;
    this.#log = log;
    this.#journal = journal;
    this.#length = length;
    this.#synced = length;
    this.#endsLine = endsLine;
  }

  /** Makes the file where it does not exist. An insertion that a crash interrupted is completed. */
  static async open(job: JobIdentifier, parts: WritingParts): Promise<WrittenConsole> {
    const folder = await makeFolder(parts.root, consoleFolderOf(job));
    const journal = await readJournalOf(folder);
    const { handle, isNew } = await openToWrite(join(folder, LOG_NAME));
    try {
      const length = await completed(handle, journal.last);
      // The last bytes may have been written shortly before a crash of the server, and not be on disk yet.
      await Promise.all([handle.datasync(), isNew && syncFolder(folder)]);
      return new WrittenConsole(parts, folder, handle, journal, length, await endsLineAt(handle, length));
    } catch (failure) {
      await handle.close();
      throw failure;
    }
  }

  /** Returns when the bytes are on disk. */
  async append(chunk: Chunk): Promise<AppendResult> {
    const appended = await this.#serialized(() => this.#take(chunk));
    if (this.#length > this.#synced) await this.#sync.run();
    return appended;
  }

  /** Adds lines of the server. Part of a line that the agent has begun becomes a line of its own. */
  async insert(lines: string): Promise<void> {
    await this.#serialized(() => this.#insert({ text: this.#atLineStart(lines) }));
  }

  /** Adds lines of clients of the API like those of the server, but a console that is full takes no more of them. */
  async add(lines: string): Promise<void> {
    await this.#serialized(async () => {
      if (this.#journal.counting.isFull) return;
      if (this.#journal.bytes > MAX_JOURNAL_BYTES) throw new Refusal('tooLarge', TOO_MUCH_ADDED);
      const isFull = this.#length + Buffer.byteLength(lines) > this.#parts.maxBytes;
      await this.#insert({ text: this.#atLineStart(isFull ? this.#parts.fullLine() : lines), ...(isFull && { isFull }) });
    });
  }

  /** Once all that was asked for is done. */
  async close(): Promise<void> {
    await this.#queue.settled();
    await this.#log.close();
  }

  async #take({ epoch, since, offset, bytes }: Chunk): Promise<AppendResult> {
    const { epoch: known, since: knownSince } = this.#journal.counting;
    const begins = { epoch, ...(since !== undefined && { since }) };
    // After a restore counters are given again, and consoles of the runs that had them may still lie there.
    const isOtherRun = since !== undefined && knownSince !== undefined && since !== knownSince;
    if (!isOtherRun && known !== undefined && epoch < known) throw new Refusal('conflict', OTHER_EPOCH);
    if (isOtherRun) await this.#insert({ ...begins, text: this.#atLineStart(this.#parts.otherRunLine()) });
    else if (epoch !== known) await this.#insert({ ...begins, text: this.#atLineStart('') });
    if (this.#journal.counting.isFull) return { length: offset + bytes.length };
    const taken = this.#length - this.#journal.counting.others;
    if (offset > taken) return { gap: taken };
    const fresh = bytes.subarray(Math.min(taken - offset, bytes.length));
    const room = Math.max(0, this.#parts.maxBytes - this.#length);
    await this.#write(fresh.subarray(0, room));
    if (fresh.length <= room) return { length: taken + fresh.length };
    await this.#insert({ text: this.#atLineStart(this.#parts.fullLine()), isFull: true });
    return { length: offset + bytes.length };
  }

  async #insert(wanted: Omit<Insertion, 'at'>): Promise<void> {
    if (this.#length > this.#synced) await this.#sync.run();
    const insertion = { ...wanted, at: this.#length };
    const bytes = await appendToJournal(this.#folder, this.#journal.bytes, insertion);
    this.#journal = { counting: withInsertion(this.#journal.counting, insertion), last: insertion, bytes };
    await this.#write(Buffer.from(insertion.text));
    if (this.#length > this.#synced) await this.#sync.run();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await writeAll(this.#log, bytes, this.#length);
    this.#length += bytes.length;
    this.#endsLine = bytes.at(-1) === LINE_FEED;
    this.#parts.onGrown();
  }

  #atLineStart(text: string): string {
    return this.#endsLine ? text : `\n${text}`;
  }

  async #syncNow(): Promise<void> {
    const length = this.#length;
    try {
      await this.#log.datasync();
    } catch (failure) {
      this.isBroken = true;
      // It is unknown how much of it is on disk; asked again, the system would say that all is. If truncating fails as well, the disk
      // will fail the next open of the console.
      void this.#queue.run(() => this.#log.truncate(this.#synced));
      throw failure;
    }
    this.#synced = Math.max(this.#synced, length);
  }

  #serialized<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (this.isBroken) throw new Error('The console could not be written before.');
      try {
        return await work();
      } catch (failure) {
        // A refusal is decided before anything is written.
        if (!(failure instanceof Refusal)) this.isBroken = true;
        throw failure;
      }
    });
  }
}

async function readJournalOf(folder: string): Promise<Journal> {
  const { handle, isNew } = await openToWrite(join(folder, JOURNAL_NAME));
  try {
    if (isNew) await syncFolder(folder);
    return readJournal(await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}

/** Returns how long the journal is now. */
async function appendToJournal(folder: string, at: number, insertion: Insertion): Promise<number> {
  const { handle } = await openToWrite(join(folder, JOURNAL_NAME));
  try {
    const entry = Buffer.from(writeEntry(insertion));
    await handle.truncate(at);
    await writeAll(handle, entry, at);
    await handle.datasync();
    return at + entry.length;
  } finally {
    await handle.close();
  }
}

/** The length of the console, once its last insertion is whole. */
async function completed(log: FileHandle, last: Insertion | undefined): Promise<number> {
  const { size } = await log.stat();
  if (!last) return size;
  const text = Buffer.from(last.text);
  if (size < last.at + text.length) await writeAll(log, text, last.at);
  return Math.max(size, last.at + text.length);
}

async function endsLineAt(log: FileHandle, length: number): Promise<boolean> {
  if (length === 0) return true;
  const { buffer } = await log.read(Buffer.alloc(1), 0, 1, length - 1);
  return buffer[0] === LINE_FEED;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}

// The consoles of jobs: written by agents and by the server, read from a line on, and followed.
import { type FileHandle, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { JobIdentifier } from '../../artifacts/stage-run.ts';
import type { ByteRange } from '../../artifacts/storage/storage.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { findFolder, openToRead } from '../../kit/files/without-links.ts';
import type { Log } from '../../kit/log.ts';
import { setNewest } from '../../kit/newest-entries.ts';
import { consoleFolderOf, LOG_NAME } from './console-folder.ts';
import { LineIndex } from './line-index.ts';
import { endOfLines, findLine, LineReader } from './line-reader.ts';
import { type LineBlock, writeNotice } from './lines.ts';
import { OpenFiles } from './open-files.ts';
import { Sections } from './sections.ts';
import { Watch } from './watch.ts';
import { type AppendResult, WrittenConsole } from './written-console.ts';

export interface ConsolesParts {
  /** The artifacts directory. */
  readonly root: () => string;
  readonly log: Pick<Log, 'error'>;
  /** Of one console; later output is dropped. */
  readonly maxBytes?: number;
  /** Of those that are written, at the same time. */
  readonly maxOpen?: number;
  readonly now?: () => Date;
}

export interface FollowOptions {
  readonly from: number;
  /** Whether the job may still print. Asked at the beginning, and now and then while nothing comes. */
  isActive(): boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** A console as it is now. */
export interface ConsoleText {
  readonly bytes: number;
  /** Another one when there is more. */
  readonly version: string;
  readonly stream: Readable;
}

const DEFAULT_MAX_BYTES = 1024 ** 3;
const DEFAULT_MAX_OPEN = 256;
/** Consoles of which it is known where lines begin. */
const MAX_INDEXES = 256;
/** Consoles whose sections are known. */
const MAX_SECTIONED = 64;
/** Consoles of which it is known when they were printed to last. */
const MAX_ACTIVITY = 10_000;
/** A follower that was not notified of the end of a job finds out after this time. */
const ASK_AGAIN_MS = 15_000;

export class Consoles {
  readonly #parts: Required<ConsolesParts>;
  readonly #written: OpenFiles<WrittenConsole>;
  readonly #watches = new Map<string, Watch>();
  /** In the order of their last use. */
  readonly #indexes = new Map<string, LineIndex>();
  readonly #activity = new Map<string, number>();
  readonly #sections = new Map<string, Promise<Sections>>();

  constructor(parts: ConsolesParts) {
    this.#parts = { maxBytes: DEFAULT_MAX_BYTES, maxOpen: DEFAULT_MAX_OPEN, now: () => new Date(), ...parts };
    this.#written = new OpenFiles(this.#parts.maxOpen, (failure) => parts.log.error({ err: failure }, 'a console could not be closed'));
  }

  /** How many files are open for writing. */
  get openFiles(): number {
    return this.#written.size;
  }

  /**
   * Appends output of the agent of this epoch, at this offset of its own. Returns when it is on disk. `since`: when the stage run
   * began, which distinguishes it from an earlier one of the same number.
   */
  async append(job: JobIdentifier, epoch: number, offset: number, bytes: Uint8Array, since?: number): Promise<AppendResult> {
    setNewest(this.#activity, keyOf(job), this.#parts.now().getTime(), MAX_ACTIVITY);
    return this.#write(job, (written) => written.append({ epoch, since, offset, bytes }));
  }

  /** Adds lines that come from a client of the API instead of an agent. */
  async add(job: JobIdentifier, lines: string): Promise<void> {
    setNewest(this.#activity, keyOf(job), this.#parts.now().getTime(), MAX_ACTIVITY);
    return this.#write(job, (written) => written.add(lines));
  }

  /** Adds a line of the server itself. */
  async note(job: JobIdentifier, text: string): Promise<void> {
    return this.#write(job, (written) => written.insert(writeNotice(text, this.#parts.now())));
  }

  /** The job is completed: its followers read to the end. */
  end(job: JobIdentifier): void {
    const key = keyOf(job);
    this.#written.close(key);
    this.#activity.delete(key);
    const watch = this.#watches.get(key);
    if (watch) watch.hasEnded = true;
    watch?.notify();
  }

  /** When the job printed something last, in milliseconds; undefined: never. */
  async lastActivity(job: JobIdentifier): Promise<number | undefined> {
    const known = this.#activity.get(keyOf(job));
    if (known !== undefined) return known;
    const folder = await findFolder(this.#parts.root(), consoleFolderOf(job));
    if (folder === undefined) return undefined;
    const found = await stat(join(folder, LOG_NAME)).catch(noFile);
    return found && Math.floor(found.mtimeMs);
  }

  /** How many bytes there are; undefined: there is no console. */
  async size(job: JobIdentifier): Promise<number | undefined> {
    const log = await this.#open(job);
    if (!log) return undefined;
    try {
      return (await log.stat()).size;
    } finally {
      await log.close();
    }
  }

  /**
   * From this line on as it stands there; of a job that is active, whole lines only. `rangeOf` chooses a part of it, by how many bytes it
   * has. undefined: there is no console.
   */
  async read(
    job: JobIdentifier,
    from: number,
    isActive: boolean,
    rangeOf?: (bytes: number) => ByteRange | undefined,
  ): Promise<ConsoleText | undefined> {
    const log = await this.#open(job);
    if (!log) return undefined;
    try {
      const { size } = await log.stat();
      const end = isActive ? await endOfLines(log, size) : size;
      const start = Math.min((await findLine(log, this.#indexOf(job), from)) ?? end, end);
      const found = { bytes: end - start, version: `${end}-${from}` };
      const { start: first, end: last } = rangeOf?.(end - start) ?? { start: 0, end: end - start - 1 };
      if (last >= first) return { ...found, stream: log.createReadStream({ start: start + first, end: start + last }) };
      await log.close();
      return { ...found, stream: Readable.from([]) };
    } catch (failure) {
      await log.close();
      throw failure;
    }
  }

  /** The lines that are there now, from this one on; of a job that is active, whole ones only. */
  async *lines(job: JobIdentifier, from: number, isActive: boolean): AsyncGenerator<LineBlock> {
    const reader = new LineReader(this.#indexOf(job), from);
    yield* this.#blocks(job, reader, !isActive);
  }

  /** Where tasks begin and end, as far as the console goes now. Lines that were read before are not read again. */
  async sections(job: JobIdentifier, isActive: boolean): Promise<Sections> {
    const key = keyOf(job);
    const before = this.#sections.get(key) ?? Promise.resolve(new Sections());
    const known = before.catch(() => new Sections()).then((sections) => this.#readSections(job, sections, isActive));
    return setNewest(this.#sections, key, known, MAX_SECTIONED);
  }

  /** The lines from this one on, as they come, until the job is completed. */
  async *follow(job: JobIdentifier, { from, isActive, signal }: FollowOptions): AsyncGenerator<LineBlock> {
    const watch = this.#watch(keyOf(job));
    try {
      const reader = new LineReader(this.#indexOf(job), from);
      let isOver = !(await isActive());
      while (!signal?.aborted) {
        const { version } = watch;
        isOver ||= watch.hasEnded;
        for await (const block of this.#blocks(job, reader, isOver)) {
          yield block;
          if (signal?.aborted) return;
        }
        if (isOver) return;
        if (!(await watch.changed(version, ASK_AGAIN_MS, signal)) && !signal?.aborted) isOver = !(await isActive());
      }
    } finally {
      if (--watch.watchers === 0) this.#watches.delete(keyOf(job));
    }
  }

  /** Closes all files, and ends the streams of followers. */
  async close(): Promise<void> {
    for (const watch of this.#watches.values()) {
      watch.hasEnded = true;
      watch.notify();
    }
    await this.#written.closeAll();
  }

  async #readSections(job: JobIdentifier, before: Sections, isActive: boolean): Promise<Sections> {
    const isShorter = ((await this.size(job)) ?? 0) < before.bytes;
    const sections = isShorter ? new Sections() : before;
    for await (const block of this.lines(job, sections.lines, isActive)) {
      sections.take(block);
      await pause();
    }
    return sections;
  }

  #write<T>(job: JobIdentifier, work: (written: WrittenConsole) => Promise<T>): Promise<T> {
    const key = keyOf(job);
    const { root, maxBytes, now } = this.#parts;
    const fullLine = () => writeNotice(`[Slipway] This console is larger than ${maxBytes} bytes. The rest is left out.`, now());
    const otherRunLine = () => writeNotice('[Slipway] All above was printed by an earlier run of the same number.', now());
    const onGrown = () => this.#watches.get(key)?.notify();
    const open = () => WrittenConsole.open(job, { root: root(), maxBytes, fullLine, otherRunLine, onGrown });
    return this.#written.use(key, open, work);
  }

  /** Closes the file after the last block: it is not kept open while a follower waits for more. */
  async *#blocks(job: JobIdentifier, reader: LineReader, isOver: boolean): AsyncGenerator<LineBlock> {
    const log = await this.#open(job);
    if (!log) return;
    try {
      for (let block = await reader.next(log, isOver); block; block = await reader.next(log, isOver)) yield block;
    } finally {
      await log.close();
    }
  }

  async #open(job: JobIdentifier): Promise<FileHandle | undefined> {
    const folder = await findFolder(this.#parts.root(), consoleFolderOf(job));
    return folder === undefined ? undefined : openToRead(join(folder, LOG_NAME));
  }

  #indexOf(job: JobIdentifier): LineIndex {
    const key = keyOf(job);
    return setNewest(this.#indexes, key, this.#indexes.get(key) ?? new LineIndex(), MAX_INDEXES);
  }

  #watch(key: string): Watch {
    const watch = this.#watches.getOrInsertComputed(key, () => new Watch());
    watch.watchers++;
    return watch;
  }
}

function keyOf(job: JobIdentifier): string {
  return consoleFolderOf(job).join('/');
}

function noFile(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT') throw failure;
}

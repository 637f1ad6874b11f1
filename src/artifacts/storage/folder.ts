// Artifacts in a folder: staging areas below `uploads`, and published files where people can look at them with ordinary tools.
import { type FileHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inParallel } from '../../kit/concurrency/in-parallel.ts';
import { FolderMaker } from '../../kit/files/folder-maker.ts';
import { syncMany } from '../../kit/files/sync-many.ts';
import { findFolder, isFile, makeFolder, openToRead, UnexpectedFileType } from '../../kit/files/without-links.ts';
import { type OpenTransfers, openTransfers } from '../open-transfers.ts';
import { folderOf, isFolderName, type JobIdentifier, type StageIdentifier } from '../stage-run.ts';
import { DiskBatches } from './batch/disk-batches.ts';
import type { FileToRename } from './batch/write-files.ts';
import { addChecksums, CHECKSUM_FILE } from './checksum-file.ts';
import { digestOf } from './digest.ts';
import { FolderFile } from './folder-file.ts';
import { removeFiles } from './remove-files.ts';
import { removeListed } from './remove-listed.ts';
import { receiveAll } from './small-files.ts';
import { StagedFiles } from './staged-files.ts';
import { finishedFiles, keyOf, knownUploaders, type StagedFile, stagingOf } from './staging.ts';
import {
  type ByteRange,
  type FileFacts,
  FileInUse,
  type IncomingFile,
  type MovableStorage,
  type SizedPath,
  type SmallFile,
  type Uploader,
} from './storage.ts';

/** Threads of the process wait for the disk; there are few, and others need them, too. */
const AT_A_TIME = 16;

export class ArtifactFolder implements MovableStorage {
  readonly #root: () => string;
  readonly #transfers: OpenTransfers;
  readonly #disk = new DiskBatches();
  readonly #staged: StagedFiles;
  /** Files that are being uploaded; undefined: it is being opened. */
  readonly #open = new Map<string, IncomingFile | undefined>();

  /** `root`: the artifacts directory, which can be another one tomorrow. */
  constructor(root: () => string, transfers = openTransfers) {
    this.#root = root;
    this.#transfers = transfers;
    this.#staged = new StagedFiles(root);
  }

  async receive(uploader: Uploader, path: string, from: 'start' | 'end'): Promise<IncomingFile> {
    const release = this.#takeToWrite(uploader, path);
    try {
      const folder = await makeFolder(this.#root(), stagingOf(uploader));
      const key = keyOf(path);
      const finished = await this.#staged.find(uploader, key);
      const onClosed = async (now?: StagedFile) => {
        if (now) await this.#staged.changed(uploader, key, now);
        release();
      };
      const file = await FolderFile.open({ folder, key, from, finished, onClosed });
      if (finished) await this.#staged.changed(uploader, key, undefined);
      this.#open.set(lockOf(uploader, path), file);
      return file;
    } catch (failure) {
      this.#staged.forget(uploader);
      release();
      throw failure;
    }
  }

  async receiveAll(uploader: Uploader, files: AsyncIterable<SmallFile>): Promise<number> {
    const root = this.#root();
    const folder = await makeFolder(root, stagingOf(uploader));
    try {
      const take = (path: string) => this.#take(uploader, path);
      return await receiveAll({ folder, files, take, finished: await finishedFiles(root, uploader), disk: this.#disk });
    } finally {
      this.#staged.forget(uploader);
    }
  }

  async finished(uploader: Uploader, paths: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
    const all = await finishedFiles(this.#root(), uploader);
    const found = new Map<string, FileFacts>();
    for (const path of paths) {
      const file = all.get(keyOf(path));
      if (file) found.set(path, { bytes: file.bytes, sha256: file.sha256 });
    }
    return found;
  }

  async publish(uploader: Uploader, job: JobIdentifier, paths: readonly string[]): Promise<void> {
    try {
      await this.#publish(uploader, job, paths);
    } finally {
      this.#staged.forget(uploader);
    }
  }

  async #publish(uploader: Uploader, job: JobIdentifier, paths: readonly string[]): Promise<void> {
    const root = this.#root();
    const staging = join(root, ...stagingOf(uploader));
    const staged = await finishedFiles(root, uploader);
    const folders = new FolderMaker(root);
    const changed = new Set<string>();
    const renamed: FileToRename[] = [];
    await inParallel(paths, AT_A_TIME, async (path) => {
      const parts = [...jobFolder(job), ...path.split('/')];
      const name = parts.pop()!;
      const folder = await folders.make(parts);
      if (name === '') return;
      changed.add(folder);
      const to = join(folder, name);
      const file = staged.get(keyOf(path));
      if (file) renamed.push({ from: join(staging, file.name), to });
      // It was put there before a crash.
      else if (!(await isFile(to))) throw new Error(`The file ${path} did not come, and cannot be published.`);
    });
    await this.#disk.rename(renamed);
    await syncMany(root, [...folders.changed.union(changed)]);
  }

  async examine(job: JobIdentifier, path: string): Promise<FileFacts | undefined> {
    const handle = await this.#find(job, path);
    return handle && digestOf(handle);
  }

  addChecksums(job: JobIdentifier, files: readonly { readonly path: string; readonly md5: string }[]): Promise<void> {
    return addChecksums(this.#root(), jobFolder(job), files);
  }

  readChecksums(job: JobIdentifier): Promise<Readable | undefined> {
    return this.read(job, CHECKSUM_FILE);
  }

  async discard(uploader: Uploader): Promise<void> {
    this.#staged.forget(uploader);
    const folder = await findFolder(this.#root(), stagingOf(uploader));
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  uploaders(): Promise<readonly Uploader[]> {
    return knownUploaders(this.#root());
  }

  async read(job: JobIdentifier, path: string, range?: ByteRange): Promise<Readable | undefined> {
    const release = this.#transfers.take();
    try {
      const handle = await this.#find(job, path).catch(noneIfAnotherKind);
      if (handle && (await hasBytes(handle, range))) return handle.createReadStream({ ...range }).once('close', release);
      await handle?.close();
      release();
      return undefined;
    } catch (failure) {
      release();
      throw failure;
    }
  }

  readAll(job: JobIdentifier, files: readonly SizedPath[]): Promise<readonly (Buffer | undefined)[]> {
    const folder = jobFolder(job);
    return this.#disk.read(
      this.#root(),
      files.map(({ path, bytes }) => ({ parts: [...folder, ...path.split('/')], length: bytes })),
    );
  }

  remove(identifier: StageIdentifier | JobIdentifier): Promise<readonly string[]> {
    return removeFiles(this.#root(), identifier);
  }

  removeFiles(job: JobIdentifier, paths: readonly string[]): Promise<readonly string[]> {
    return removeListed(this.#root(), jobFolder(job), paths);
  }

  async #find(job: JobIdentifier, path: string) {
    const parts = [...jobFolder(job), ...path.split('/')];
    const name = parts.pop()!;
    const folder = await findFolder(this.#root(), parts);
    return folder === undefined ? undefined : openToRead(join(folder, name));
  }

  /** Returns a function that unlocks the file. */
  #take(uploader: Uploader, path: string): () => void {
    const lock = lockOf(uploader, path);
    if (this.#open.has(lock)) throw new FileInUse(this.#open.get(lock)?.length ?? 0);
    this.#open.set(lock, undefined);
    return () => void this.#open.delete(lock);
  }

  /** Locks the file within the limit of open transfers. */
  #takeToWrite(uploader: Uploader, path: string): () => void {
    const releases = [this.#take(uploader, path)];
    try {
      releases.push(this.#transfers.take());
    } catch (failure) {
      releases[0]!();
      throw failure;
    }
    return () => {
      for (const release of releases) release();
    };
  }
}

/** A link was put there, for example: the published file counts as gone, and the link is not followed. */
function noneIfAnotherKind(failure: unknown): undefined {
  if (!(failure instanceof UnexpectedFileType)) throw failure;
}

/** A file that was cut short since counts as gone: whoever waits for all of its bytes would wait for ever. */
async function hasBytes(handle: FileHandle, range: ByteRange | undefined): Promise<boolean> {
  return range === undefined || (await handle.stat()).size > range.end;
}

function lockOf({ job, epoch }: Uploader, path: string): string {
  return `${job}-${epoch}/${path}`;
}

function jobFolder(identifier: JobIdentifier): readonly string[] {
  const folder = folderOf(identifier);
  if (!folder || !isFolderName(identifier.job)) throw new Error(`This is not the place of a job: ${JSON.stringify(identifier)}`);
  return [...folder, identifier.job];
}

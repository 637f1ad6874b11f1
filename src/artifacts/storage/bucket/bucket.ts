// Artifacts in a bucket. Small files that come together are staged on the disk, and go straight to their place; others are staged in the bucket.

import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inParallel } from '../../../kit/concurrency/in-parallel.ts';
import { guardedConnection } from '../../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../../kit/network/reach.ts';
import { S3Client } from '../../../kit/s3/client.ts';
import { BucketFailure } from '../../../kit/s3/failure.ts';
import { makeRetry, type Retry } from '../../../kit/s3/retry.ts';
import type { JobIdentifier, StageIdentifier } from '../../stage-run.ts';
import { ArtifactFolder } from '../folder.ts';
import { finishedFiles, keyOf, stagingOf } from '../staging.ts';
import type { ByteRange, FileFacts, FileHeaders, IncomingFile, MovableStorage, SizedPath, SmallFile, Uploader } from '../storage.ts';
import type { BucketAddress } from './address.ts';
import { BucketFile } from './bucket-file.ts';
import { type BucketMessage, Guard } from './bucket-messages.ts';
import { collected, contentOf } from './content.ts';
import { Keys, type StagedObject, stagedIn, uploaderIn } from './keys.ts';
import { removeObjects } from './remove-objects.ts';
import { UnfinishedFiles } from './unfinished.ts';

export interface BucketParts {
  readonly address: BucketAddress;
  /** A folder of this machine, for consoles, and for small files until they are published. */
  readonly folder: () => string;
  /** From this size on, people are sent to the bucket itself; undefined: never. */
  readonly linkedFrom?: number | undefined;
  /** undefined: it works again. */
  onTrouble(trouble: BucketMessage | undefined): void;
  readonly firstPauseMs?: number;
}

const AT_A_TIME = 32;
const SILENCE_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LINK_SECONDS = 15 * 60;

export class ArtifactBucket implements MovableStorage {
  readonly #parts: BucketParts;
  readonly #client: S3Client;
  readonly #again: Retry;
  readonly #keys: Keys;
  readonly #guard: Guard;
  readonly #local: ArtifactFolder;
  readonly #unfinished = new UnfinishedFiles();
  /** Uploads that begin now must not be taken for those that were left. */
  #tidied: Promise<unknown> = Promise.resolve();

  constructor(parts: BucketParts) {
    const { address, folder, firstPauseMs = FIRST_PAUSE_MS } = parts;
    this.#parts = parts;
    // Only administrators name the store, so it may be on this machine. Nothing is sent to a forbidden address.
    this.#client = new S3Client(address, { connection: (host) => guardedConnection(host, TRUSTED), silenceMs: SILENCE_MS });
    this.#keys = new Keys(address.prefix);
    this.#guard = new Guard(address, (trouble) => parts.onTrouble(trouble));
    const persistently = makeRetry(firstPauseMs);
    // While the store is away, requests are not repeated, so that callers fail fast.
    this.#again = (request) => (this.#guard.isTroubled ? request() : persistently(request));
    this.#local = new ArtifactFolder(folder);
  }

  /** Checks that it can be used, and ends the unfinished uploads of an earlier process. Trouble is reported, too. */
  start(): Promise<void> {
    const tidying = this.#guard.run(async () => {
      await this.#again(() => this.#client.check(this.#keys.uploads));
      for (const prefix of [this.#keys.uploads, this.#keys.published]) await this.#abandonUploads(prefix);
    });
    this.#tidied = tidying.catch(() => {}); // the caller of `start` gets the failure
    return tidying;
  }

  async receive(uploader: Uploader, path: string, from: 'start' | 'end'): Promise<IncomingFile> {
    this.#unfinished.take(uploader, path);
    try {
      await this.#tidied;
      const file = await this.#guard.run(() => this.#receive(uploader, path, from));
      this.#unfinished.opened(uploader, path, file);
      return file;
    } catch (failure) {
      this.#unfinished.release(uploader, path);
      throw failure;
    }
  }

  /** Only a request for each file goes to the bucket, when they are published. */
  async receiveAll(uploader: Uploader, files: AsyncIterable<SmallFile>): Promise<number> {
    const before = await this.#guard.run(() => this.#staged(this.#keys.staging(uploader)));
    const replaced: StagedObject[] = [];
    const noting = async function* () {
      for await (const file of files) {
        const older = before.get(keyOf(file.path));
        if (older) replaced.push(older);
        yield file;
      }
    };
    const count = await this.#local.receiveAll(uploader, noting());
    await this.#guard.run(() => this.#delete(objectsOf(replaced)));
    return count;
  }

  async finished(uploader: Uploader, paths: readonly string[]): Promise<ReadonlyMap<string, FileFacts>> {
    const found = new Map<string, FileFacts>(await this.#local.finished(uploader, paths));
    if (found.size === paths.length) return found;
    const staged = await this.#guard.run(() => this.#staged(this.#keys.staging(uploader)));
    for (const path of paths) {
      const object = staged.get(keyOf(path));
      if (object && !found.has(path)) found.set(path, { bytes: object.bytes, sha256: object.sha256 });
    }
    return found;
  }

  /** An object is there as a whole or not at all. Empty folders are known to the database alone. */
  async publish(uploader: Uploader, job: JobIdentifier, paths: readonly string[]): Promise<void> {
    const root = this.#parts.folder();
    const files = paths.filter((path) => !path.endsWith('/'));
    const here = await finishedFiles(root, uploader);
    const isHere = (path: string) => here.has(keyOf(path));
    const local = (path: string) => join(root, ...stagingOf(uploader), here.get(keyOf(path))!.name);
    await this.#guard.run(async () => {
      const staged = files.every(isHere) ? undefined : await this.#staged(this.#keys.staging(uploader));
      const copied: StagedObject[] = [];
      await inParallel(files, AT_A_TIME, async (path) => {
        const key = this.#keys.ofFile(job, path);
        const object = staged?.get(keyOf(path));
        if (isHere(path)) {
          const content = await readFile(local(path));
          await this.#again(() => this.#client.put(key, content));
        } else if (object) {
          await this.#again(() => this.#client.copy(object.content, key, object.bytes));
          copied.push(object);
          // It was put there before a crash.
        } else if ((await this.#again(() => this.#client.size(key))) === undefined)
          throw new Error(`The file ${path} did not come, and cannot be published.`);
      });
      await this.#delete(objectsOf(copied));
    });
    await inParallel(files.filter(isHere), AT_A_TIME, (path) => rm(local(path), { force: true }));
  }

  examine(job: JobIdentifier, path: string): Promise<FileFacts | undefined> {
    return this.#guard.run(async () => {
      const content = await contentOf(this.#client, this.#again, this.#keys.ofFile(job, path));
      if (!content) return undefined;
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const piece of content as AsyncIterable<Buffer>) {
        hash.update(piece);
        bytes += piece.length;
      }
      return { bytes, sha256: hash.digest('hex') };
    });
  }

  /** Beside the console, where administrators who look at the folder expect it. */
  addChecksums(job: JobIdentifier, files: readonly { readonly path: string; readonly md5: string }[]): Promise<void> {
    return this.#local.addChecksums(job, files);
  }

  readChecksums(job: JobIdentifier): Promise<Readable | undefined> {
    return this.#local.readChecksums(job);
  }

  async discard(uploader: Uploader): Promise<void> {
    await this.#local.discard(uploader);
    for (const file of this.#unfinished.takeAll(uploader)) await file.abandon();
    await this.#guard.run(async () => {
      for (const objects of await this.#listed(this.#keys.staging(uploader))) await this.#delete(objects.map(({ key }) => key));
    });
  }

  async uploaders(): Promise<readonly Uploader[]> {
    const found = new Map((await this.#local.uploaders()).map((uploader) => [nameOf(uploader), uploader]));
    await this.#guard.run(async () => {
      for (const objects of await this.#listed(this.#keys.uploads))
        for (const uploader of objects.map(({ key }) => uploaderIn(key))) if (uploader) found.set(nameOf(uploader), uploader);
    });
    return [...found.values()];
  }

  /** A file that is not in the bucket may be in the folder, from the time before there was a bucket. */
  async read(job: JobIdentifier, path: string, range?: ByteRange): Promise<Readable | undefined> {
    const content = await this.#guard.run(() => contentOf(this.#client, this.#again, this.#keys.ofFile(job, path), range));
    return content ?? this.#local.read(job, path, range);
  }

  async readAll(job: JobIdentifier, files: readonly SizedPath[]): Promise<readonly (Buffer | undefined)[]> {
    const found = new Map<SizedPath, Buffer>();
    await this.#guard.run(() =>
      inParallel(files, AT_A_TIME, async (file) => {
        const content = await this.#again(() => this.#small(this.#keys.ofFile(job, file.path), file.bytes));
        if (content) found.set(file, content);
      }),
    );
    const others = files.filter((file) => !found.has(file));
    const local = others.length === 0 ? [] : await this.#local.readAll(job, others);
    const rest = new Map(others.map((file, index) => [file, local[index]]));
    return files.map((file) => found.get(file) ?? rest.get(file));
  }

  async linkTo(job: JobIdentifier, { path, bytes }: SizedPath, headers: FileHeaders): Promise<string | undefined> {
    const { linkedFrom = Number.POSITIVE_INFINITY } = this.#parts;
    if (bytes < linkedFrom) return undefined;
    const key = this.#keys.ofFile(job, path);
    const size = await this.#guard.run(() => this.#again(() => this.#client.size(key)));
    // It may be in the folder, and where it has just become longer, only the server knows how much of it counts.
    return size === bytes ? this.#client.linkTo(key, { ...headers, seconds: LINK_SECONDS }) : undefined;
  }

  async remove(identifier: StageIdentifier | JobIdentifier): Promise<readonly string[]> {
    const inBucket = await this.#guard.run(() => this.#again(() => removeObjects(this.#client, this.#keys, identifier)));
    return [...inBucket, ...(await this.#local.remove(identifier))];
  }

  async removeFiles(job: JobIdentifier, paths: readonly string[]): Promise<readonly string[]> {
    const undeleted = await this.#guard.run(() => this.#delete(paths.map((path) => this.#keys.ofFile(job, path))));
    return undeleted.map(({ key, reason }) => `${key}: ${reason}`);
  }

  async #receive(uploader: Uploader, path: string, from: 'start' | 'end'): Promise<BucketFile> {
    const waiting = this.#unfinished.takeWaiting(uploader, path);
    if (waiting && from === 'end') return waiting;
    await waiting?.abandon();
    const older = (await this.#staged(`${this.#keys.staging(uploader)}${keyOf(path)}`)).get(keyOf(path));
    if (from === 'start') await this.#forget(uploader, path, older);
    return new BucketFile({
      client: this.#client,
      again: this.#again,
      keys: this.#keys,
      guard: this.#guard,
      uploader,
      path,
      finished: from === 'end' ? older : undefined,
      onClosed: (file, isFinished) => {
        this.#unfinished.release(uploader, path);
        // An upload that cannot be ended now is ended at the next start; trouble of the store is reported by the next request to it.
        if (!isFinished)
          this.#unfinished
            .wait(uploader, path, file)
            ?.abandon()
            .catch(() => {});
      },
    });
  }

  async #forget(uploader: Uploader, path: string, older: StagedObject | undefined): Promise<void> {
    if (older) await this.#delete(objectsOf([older]));
    const root = this.#parts.folder();
    const local = (await finishedFiles(root, uploader)).get(keyOf(path));
    if (local) await rm(join(root, ...stagingOf(uploader), local.name), { force: true });
  }

  #listed(prefix: string) {
    return this.#again(() => Array.fromAsync(this.#client.list(prefix)));
  }

  #delete(keys: readonly string[]) {
    return this.#again(() => this.#client.remove(keys));
  }

  /** Finished files, by the keys of their paths. */
  async #staged(prefix: string): Promise<Map<string, StagedObject>> {
    const found = new Map<string, StagedObject>();
    for (const objects of await this.#listed(prefix))
      for (const { key } of objects) {
        const staged = stagedIn(key);
        if (staged) found.set(staged.path, staged);
      }
    return found;
  }

  async #small(key: string, bytes: number): Promise<Buffer | undefined> {
    const received = await this.#client.get(key);
    if (!received) return undefined;
    const content = await collected(received.content, bytes).catch((failure: Error) => {
      throw new BucketFailure(`${key} broke off: ${failure.message}`, undefined, failure);
    });
    return content?.length === bytes ? content : undefined;
  }

  async #abandonUploads(prefix: string): Promise<void> {
    const left = await this.#client.unfinishedUploads(prefix).catch((failure: unknown) => {
      // Some stores keep no list of them.
      if (failure instanceof BucketFailure && failure.status === 501) return [];
      throw failure;
    });
    await inParallel(left, AT_A_TIME, ({ key, upload }) => this.#client.abandonUpload(key, upload));
  }
}

function objectsOf(staged: readonly StagedObject[]): string[] {
  return [...new Set(staged.flatMap(({ name, content }) => [name, content]))];
}

function nameOf({ job, epoch }: Uploader): string {
  return `${job}-${epoch}`;
}

// Files that a client sends, from the first byte until all of them are published or discarded.
import { createHash } from 'node:crypto';
import type { ArtifactFile } from '../../contracts/agent-protocol/messages.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import { contentOf } from '../../kit/zip/archive-content.ts';
import { type ListedEntry, listedEntries } from '../../kit/zip/sent-archive.ts';
import type { Artifact } from '../../store/builds/artifacts.ts';
import { foldersAbove } from '../paths.ts';
import { problemOfPaths } from '../publication-conflicts.ts';
import type { PublishingJob } from '../publications.ts';
import type { SmallFile } from '../storage/storage.ts';
import type { Spool } from './spool.ts';
import { type UploadParts, type UploadTarget, withinRoom } from './upload-parts.ts';

/** Files up to this size are written side by side, and held in memory as long as that takes. */
const SMALL_BYTES = 256 * 1024;
const ARCHIVE_LIMITS = { entries: 100_000, ratio: 200, harmlessBytes: 16 * 1024 * 1024 } as const;

export class Upload implements AsyncDisposable {
  readonly #parts: UploadParts;
  readonly #target: UploadTarget;
  readonly #job: PublishingJob;
  readonly #files = new Map<string, ArtifactFile>();
  #folders: readonly string[] = [];

  /** `number` distinguishes it from all other uploads, and from the assignments of agents. */
  constructor(parts: UploadParts, target: UploadTarget, number: number) {
    const { id, pipelineKey, identifier } = target;
    this.#parts = parts;
    this.#target = target;
    this.#job = { id, epoch: number, pipelineKey, identifier };
  }

  get files(): ReadonlyMap<string, ArtifactFile> {
    return this.#files;
  }

  async take(path: string, content: AsyncIterable<Buffer>): Promise<void> {
    const file = await this.#parts.storage.receive(this.#uploader, path, 'start');
    const md5 = createHash('md5');
    try {
      for await (const piece of withinRoom(this.#parts, content)) {
        md5.update(piece);
        await file.append(piece);
      }
    } catch (failure) {
      // A failure to close adds nothing to the failure of the write.
      await file.close().catch(() => {});
      throw failure;
    }
    const { sha256: digest } = await file.finish();
    this.#files.set(path, { path, bytes: file.length, sha256: digest, md5: md5.digest('hex') });
  }

  /** All that is in a zip archive, below a path or, if that is empty, in the folder of the job. Nothing is taken before all names are found to be good. */
  async takeArchive(archive: Spool, below: string): Promise<void> {
    const { storage, room } = this.#parts;
    const listed = await listedEntries(archive.handle, archive.bytes, { ...ARCHIVE_LIMITS, bytes: room() });
    const entries = listed.map((entry) => ({ ...entry, name: below === '' ? entry.name : `${below}/${entry.name}`, entry }));
    const files = entries.filter(({ name }) => !name.endsWith('/'));
    const folders = new Set(entries.filter(({ name }) => name.endsWith('/')).map(({ name }) => name.slice(0, -1)));
    const paths = files.map(({ name }) => name);
    const problem = problemOfPaths(paths, [...folders]);
    if (problem) throw new Refusal('invalid', problem);
    // An archive without entries is an empty folder.
    this.#folders = entries.length === 0 && below !== '' ? [below] : emptyOnes(folders, paths);
    const isSmall = ({ bytes }: ListedEntry) => bytes <= SMALL_BYTES;
    await storage.receiveAll(this.#uploader, this.#unpackedSmall(archive, files.filter(isSmall)));
    for (const { name, entry } of files.filter((file) => !isSmall(file))) await this.take(name, contentOf(archive.handle, entry));
  }

  /** The path of a file that is there already; undefined: all of them are published now, or would be. */
  async publish({ isDryRun = false } = {}): Promise<string | undefined> {
    const { publications, artifacts } = this.#parts;
    const wanted = { type: 'build', files: [...this.#files.values()], folders: this.#folders } as const;
    let there: string | undefined;
    const mayBe = async () => {
      await this.#target.mustTake();
      const paths = [...this.#files.keys()];
      there = (await artifacts.hasAny(this.#job.id)) ? (await artifacts.findAll(this.#job.id, paths))[0]?.path : undefined;
      return there === undefined;
    };
    if (!(await mayBe()) || isDryRun) return there;
    try {
      const missing = await publications.publish(this.#job, wanted, mayBe);
      if (missing.length > 0) throw new Error(`These files came, and are gone: ${missing.slice(0, 10).join(', ')}`);
    } catch (failure) {
      // Another one has come first.
      if (there === undefined) throw failure;
    }
    return there;
  }

  /** Puts its only file in the place of the one that it begins with. False: that one is not the same any more. */
  extend(before: Artifact): Promise<boolean> {
    const [file] = this.#files.values();
    return this.#parts.publications.extend(this.#job, before, file!, () => this.#target.mustTake());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#parts.storage.discard(this.#uploader);
    } catch (failure) {
      // The request must not fail because of this. Remaining files are deleted at the next start.
      this.#parts.onFailure(failure, 'what was sent and not published could not be deleted');
    }
  }

  get #uploader() {
    return { job: this.#job.id, epoch: this.#job.epoch };
  }

  async *#unpackedSmall(
    archive: Spool,
    files: readonly { readonly name: string; readonly entry: ListedEntry }[],
  ): AsyncGenerator<SmallFile, void> {
    for (const { name: path, entry } of files) {
      const pieces: Buffer[] = [];
      for await (const piece of withinRoom(this.#parts, contentOf(archive.handle, entry))) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const md5 = createHash('md5').update(bytes).digest('hex');
      this.#files.set(path, { path, bytes: bytes.length, sha256: sha256(bytes), md5 });
      yield { path, bytes };
    }
  }
}

/** The other folders are known from the paths in them. */
function emptyOnes(folders: ReadonlySet<string>, files: readonly string[]): readonly string[] {
  const filled = foldersAbove([...files, ...folders]);
  return [...folders].filter((folder) => !filled.has(folder));
}

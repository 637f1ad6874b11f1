// Where the files of artifacts lie: in a folder, or in a bucket. The list of artifacts is in the database alone.
import type { Readable } from 'node:stream';
import type { JobIdentifier, StageIdentifier } from '../stage-run.ts';

/** The assignment of a job that uploads: it does not take over the files of an earlier assignment. */
export interface Uploader {
  readonly job: number;
  readonly epoch: number;
}

/** A file that is uploaded, perhaps in several requests. Users do not see it before it is published. */
export interface IncomingFile {
  /** How many bytes there are: the next ones go after them. */
  readonly length: number;
  append(bytes: Buffer): Promise<void>;
  /** It is whole, and on disk when this returns. In hex. */
  finish(): Promise<{ readonly sha256: string }>;
  /** No more of it comes for now; the received bytes stay for the next request. */
  close(): Promise<void>;
}

/** A file that was whole when it came. */
export interface SmallFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A file that should have so many bytes. */
export interface SizedPath {
  readonly path: string;
  readonly bytes: number;
}

/** The properties that identify the content of a file. */
export interface FileFacts {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Another request sends this file at the moment. */
export class FileInUse extends Error {
  /** The number of bytes there are of it. */
  readonly length: number;

  constructor(length: number) {
    super('Another request sends this file at the moment.');
    this.length = length;
  }
}

export interface ByteRange {
  readonly start: number;
  /** The last byte, which belongs to it. */
  readonly end: number;
}

/** The headers that a client gets with a file. */
export interface FileHeaders {
  readonly type: string;
  readonly disposition: string;
}

export interface ArtifactStorage {
  /** Continues a file, or begins it anew. Only one at a time has a file open: throws `FileInUse`. */
  receive(uploader: Uploader, path: string, from: 'start' | 'end'): Promise<IncomingFile>;
  /** Takes many small files, all of them or none. They are finished, and on disk when this returns. */
  receiveAll(uploader: Uploader, files: AsyncIterable<SmallFile>): Promise<number>;
  /** Which of these files are finished and wait to be published, by path. */
  finished(uploader: Uploader, paths: readonly string[]): Promise<ReadonlyMap<string, FileFacts>>;
  /** Puts finished files where they are read, and returns when they would be there after a crash. Said again, it goes on where it ended. A path that ends with a slash is that of an empty folder. */
  publish(uploader: Uploader, job: JobIdentifier, paths: readonly string[]): Promise<void>;
  /** The file at its published path, whether its publication is committed or not. */
  examine(job: JobIdentifier, path: string): Promise<FileFacts | undefined>;
  /** Adds the missing lines to the checksum file of a job, and returns when they would survive a crash. */
  addChecksums(job: JobIdentifier, files: readonly { readonly path: string; readonly md5: string }[]): Promise<void>;
  /** That file; it stays when the artifacts are deleted. */
  readChecksums(job: JobIdentifier): Promise<Readable | undefined>;
  /** Forgets all that an assignment sent and did not publish. */
  discard(uploader: Uploader): Promise<void>;
  /** All assignments of which something is left. */
  uploaders(): Promise<readonly Uploader[]>;
  /** undefined: the file is gone, or does not have all bytes of the range. */
  read(job: JobIdentifier, path: string, range?: ByteRange): Promise<Readable | undefined>;
  /** The contents of small files, in this order; undefined: the file is gone, or has another length. */
  readAll(job: JobIdentifier, files: readonly SizedPath[]): Promise<readonly (Buffer | undefined)[]>;
  /** Deletes the artifacts of a stage run, or of one of its jobs; consoles and metadata of plugins stay. Returns the problems, in words. */
  remove(identifier: StageIdentifier | JobIdentifier): Promise<readonly string[]>;
  /** An address at which the file can be got for a while without the server; undefined: it has to be read here. */
  linkTo?(job: JobIdentifier, file: SizedPath, headers: FileHeaders): Promise<string | undefined>;
}

/** One that artifacts can be taken out of, file by file. */
export interface MovableStorage extends ArtifactStorage {
  /** Deletes these files of a job, wherever they lie in it. Returns the problems of files that could not be deleted, in words. */
  removeFiles(job: JobIdentifier, paths: readonly string[]): Promise<readonly string[]>;
}

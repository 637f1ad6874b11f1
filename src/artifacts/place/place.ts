// Where the files of artifacts lie: in a folder, or in a bucket. What exists is known to the database alone.
import type { Readable } from 'node:stream';
import type { JobPlace, StagePlace } from '../stage-run.ts';

/** Which assignment of a job uploads: what an earlier one left belongs to nobody. */
export interface Uploader {
  readonly job: number;
  readonly epoch: number;
}

/** A file that comes, perhaps in several requests. Nobody sees it before it is published. */
export interface IncomingFile {
  /** How many bytes there are: the next ones go behind them. */
  readonly length: number;
  append(bytes: Buffer): Promise<void>;
  /** It is whole, and on disk when this returns. In hex. */
  finish(): Promise<{ readonly sha256: string }>;
  /** No more of it comes for now; what there is stays for the next request. */
  close(): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  /** The last byte, which belongs to it. */
  readonly end: number;
}

export interface ArtifactPlace {
  /** Goes on with what there is of a file, or begins it anew. Only one at a time has a file open. */
  receive(uploader: Uploader, path: string, from: 'start' | 'end'): Promise<IncomingFile>;
  /** Puts finished files where they are read, and returns when they would be there after a crash. Said again, it goes on where it ended. */
  publish(uploader: Uploader, job: JobPlace, paths: readonly string[]): Promise<void>;
  /** Forgets all that an assignment sent and did not publish. */
  discard(uploader: Uploader): Promise<void>;
  /** undefined: the file is gone. */
  read(job: JobPlace, path: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes the artifacts of all jobs of a stage run; consoles and what plugins told stay. Returns what could not be deleted, in words. */
  remove(stage: StagePlace): Promise<readonly string[]>;
}

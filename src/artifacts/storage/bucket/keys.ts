// The keys of the objects of artifacts in a bucket: the paths of the files in a folder, wherever that is possible.
import { sha256 } from '../../../kit/bytes/hash.ts';
import { folderOf, isFolderName, type JobIdentifier, KEPT_FOLDERS, type StageIdentifier } from '../../stage-run.ts';
import { finishedName, keyOf, UPLOADS } from '../staging.ts';
import type { FileFacts, Uploader } from '../storage.ts';

/** Less than the limit of stores (1024): for some a little more than the name counts. */
const MAX_KEY_BYTES = 1000;
const STAGED = /^([0-9a-f]{64})-([0-9a-f]{64})-(\d{1,16})(?:-([0-9a-f]{16}))?$/;
const UPLOADER = /^(\d{1,15})-(\d{1,15})$/;

/** A file that came and is not published. */
export interface StagedObject extends FileFacts {
  /** Of the path, as `keyOf` says it. */
  readonly path: string;
  /** The object that says so. */
  readonly name: string;
  /** The object with the content: the same one, unless it came in parts. */
  readonly content: string;
}

export class Keys {
  readonly #base: string;

  constructor(prefix: string) {
    this.#base = prefix === '' ? '' : `${prefix}/`;
  }

  /** Below which all that is published lies. */
  get published(): string {
    return `${this.#base}pipelines/`;
  }

  /** Below which all lies that is not published. */
  get uploads(): string {
    return `${this.#base}${UPLOADS}/`;
  }

  ofStage(identifier: StageIdentifier): string {
    const folder = folderOf(identifier);
    if (!folder) throw new Error(`This is not the place of a stage run: ${JSON.stringify(identifier)}`);
    return `${this.#base}${folder.join('/')}/`;
  }

  ofJob(identifier: JobIdentifier): string {
    if (!isFolderName(identifier.job)) throw new Error(`This is not the place of a job: ${JSON.stringify(identifier)}`);
    return `${this.ofStage(identifier)}${identifier.job}/`;
  }

  /** Paths can be longer than keys: of those the key has only a digest, in a folder that stays if the path is in one. */
  ofFile(identifier: JobIdentifier, path: string): string {
    const folder = this.ofJob(identifier);
    const key = `${folder}${path}`;
    if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
    const kept = KEPT_FOLDERS.find((name) => path.startsWith(`${name}/`));
    return `${folder}${kept === undefined ? '' : `${kept}/`}~${sha256(path)}`;
  }

  staging({ job, epoch }: Uploader): string {
    return `${this.uploads}${job}-${epoch}/`;
  }

  /** The name holds checksum and length: the server need not read the file again after a restart. */
  staged(uploader: Uploader, path: string, facts: FileFacts): string {
    return this.staging(uploader) + finishedName(keyOf(path), facts);
  }

  /** Of a file that comes in parts. Its name can hold checksum and length only when all parts have come. */
  parts(uploader: Uploader, path: string, id: string): string {
    return `${this.staging(uploader)}${keyOf(path)}.${id}`;
  }

  /** An empty object which says that all parts have come. */
  marker(uploader: Uploader, path: string, facts: FileFacts, id: string): string {
    return `${this.staged(uploader, path, facts)}-${id}`;
  }
}

/** undefined: it is none, or only part of one. */
export function stagedIn(key: string): StagedObject | undefined {
  const end = key.lastIndexOf('/') + 1;
  const [, path, digest, bytes, id] = STAGED.exec(key.slice(end)) ?? [];
  if (path === undefined) return undefined;
  const content = id === undefined ? key : `${key.slice(0, end)}${path}.${id}`;
  return { path, sha256: digest!, bytes: Number(bytes), name: key, content };
}

export function uploaderIn(key: string): Uploader | undefined {
  const [, job, epoch] = UPLOADER.exec(key.split('/').at(-2) ?? '') ?? [];
  return job === undefined ? undefined : { job: Number(job), epoch: Number(epoch) };
}

// The files of a fetch task: a file, a folder, or all artifacts of a job without the folders of the server itself.
import type { ArtifactFile, FetchedList } from '../contracts/agent-protocol/messages.ts';
import type { Artifact, Artifacts } from '../store/builds/artifacts.ts';
import { pathProblem, plainPath } from './paths.ts';
import { KEPT_FOLDERS } from './stage-run.ts';

/** `base`: the prefix that is cut off from the paths for the agent. */
type Source = { readonly kind: 'file'; readonly row: Artifact } | { readonly kind: 'folder'; readonly base: string };

export class FetchedArtifacts {
  readonly #artifacts: Artifacts;
  readonly #job: number;
  readonly #source: Source;

  private constructor(artifacts: Artifacts, job: number, source: Source) {
    this.#artifacts = artifacts;
    this.#job = job;
    this.#source = source;
  }

  static ofFile(artifacts: Artifacts, row: Artifact): FetchedArtifacts {
    return new FetchedArtifacts(artifacts, row.job_id, { kind: 'file', row });
  }

  /** undefined: the job has left nothing of that name. */
  static async find(artifacts: Artifacts, job: number, written: string): Promise<FetchedArtifacts | undefined> {
    const path = plainPath(written);
    if (path === '') return new FetchedArtifacts(artifacts, job, { kind: 'folder', base: '' });
    if (pathProblem(path) !== undefined) return undefined;
    const row = await artifacts.find(job, path);
    if (row) return FetchedArtifacts.ofFile(artifacts, row);
    const base = `${path}/`;
    const exists = (await artifacts.page(job, { below: base }, 1)).length > 0;
    return exists ? new FetchedArtifacts(artifacts, job, { kind: 'folder', base }) : undefined;
  }

  get isFile(): boolean {
    return this.#source.kind === 'file';
  }

  /** In the order of the paths; that of an empty folder ends with a slash. */
  async list(after: string, limit: number): Promise<FetchedList> {
    const source = this.#source;
    if (source.kind === 'file') {
      const files = after === '' ? [fileOf(source.row, nameOf(source.row))] : [];
      return { files, folders: [], has_more: false };
    }
    const { base } = source;
    const range = { below: base, after: after === '' ? base : base + after, ...(base === '' && { without: KEPT_FOLDERS }) };
    const rows = await this.#artifacts.page(this.#job, range, limit + 1);
    const page = rows.slice(0, limit);
    return {
      files: page.filter(isFile).map((row) => fileOf(row, row.path.slice(base.length))),
      folders: page.filter((row) => !isFile(row)).map((row) => row.path.slice(base.length)),
      has_more: rows.length > limit,
    };
  }

  /** Files of the list, in the order in which they were asked for; undefined: one of them is not in it. */
  async files(paths: readonly string[]): Promise<readonly Artifact[] | undefined> {
    const source = this.#source;
    if (source.kind === 'file') return paths.every((path) => path === nameOf(source.row)) ? paths.map(() => source.row) : undefined;
    const whole = paths.map((path) => source.base + path);
    if (source.base === '' && whole.some(isKept)) return undefined;
    const rows = new Map((await this.#artifacts.findAll(this.#job, whole)).map((row) => [row.path, row]));
    const found = whole.map((path) => rows.get(path)).filter((row) => row !== undefined && isFile(row));
    return found.length === paths.length ? found.filter((row) => row !== undefined) : undefined;
  }
}

function isFile({ path }: Artifact): boolean {
  return !path.endsWith('/');
}

function isKept(path: string): boolean {
  return KEPT_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

function nameOf({ path }: Artifact): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function fileOf({ bytes, sha256, md5 }: Artifact, path: string): ArtifactFile {
  return { path, bytes, sha256, md5 };
}

// Publishes files sent by agents: all of a publication or nothing, in one commit with usage and event, and once if it is repeated.
import type { ArtifactFile, Publication } from '../contracts/agent-protocol/messages.ts';
import { inParallel } from '../kit/concurrency/in-parallel.ts';
import { KeyedMutex } from '../kit/concurrency/keyed-mutex.ts';
import { SharedMutex } from '../kit/concurrency/shared-mutex.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Artifact, Artifacts } from '../store/builds/artifacts.ts';
import type { CommitWithEvents, NewEvent } from '../store/write-with-events.ts';
import { foldersAbove } from './paths.ts';
import { conflictWith, fileAndFolder, problemOfPaths } from './publication-conflicts.ts';
import { folderOf, type JobIdentifier, type StageIdentifier } from './stage-run.ts';
import type { ArtifactStorage, FileFacts, Uploader } from './storage/storage.ts';

/** A job whose artifacts are published. */
export interface PublishingJob {
  readonly id: number;
  readonly epoch: number;
  readonly pipelineKey: string;
  readonly identifier: JobIdentifier;
}

export interface PublicationParts {
  readonly storage: ArtifactStorage;
  readonly artifacts: Artifacts;
  readonly write: CommitWithEvents;
  now(): number;
  /** After the commit, and again where a publication is repeated: it must be idempotent. */
  onPublished(job: PublishingJob, type: Publication['type'], files: readonly ArtifactFile[]): Promise<void>;
  onFailure(failure: unknown, message: string): void;
}

export type PublicationRequest = Pick<Publication, 'type' | 'files' | 'folders'>;

export const NOT_JOB_OF_AGENT = 'This job no longer belongs to this agent.';
const READ_AT_A_TIME = 4;

export class Publications {
  readonly #parts: PublicationParts;
  /** One at a time for each folder of a job: two jobs have the same one when the first was taken from its agent. */
  readonly #mutex = new KeyedMutex();
  /** Publishing and deleting artifacts of a stage run: never at the same time. */
  readonly #stageRuns = new SharedMutex();

  constructor(parts: PublicationParts) {
    this.#parts = parts;
  }

  /** The files that did not come, or not as it says; none: all of it is published. `isOwner`: whether the job is still the agent's. */
  async publish(job: PublishingJob, request: PublicationRequest, isOwner: () => Promise<boolean>): Promise<readonly string[]> {
    const { files, folders } = request;
    const problem = problemOfPaths(
      files.map(({ path }) => path),
      folders,
    );
    if (problem) throw new Refusal('invalid', problem);
    const missing = await this.#serialized(job.identifier, async () => {
      if (!(await isOwner())) throw new Refusal('conflict', NOT_JOB_OF_AGENT);
      return this.#publish(job, request);
    });
    if (missing.length > 0) return missing;
    try {
      await this.#parts.onPublished(job, request.type, files);
    } catch (failure) {
      // It is published, even if the listener fails.
      this.#parts.onFailure(failure, 'published artifacts could not be looked at');
    }
    return missing;
  }

  /**
   * Puts a file in the place of a published one that it begins with. False: that is another one by now. Between the two steps, and after a
   * crash between them, the row still has the length of the old one, and readers stop there.
   */
  extend(job: PublishingJob, before: Artifact, file: ArtifactFile, mustTake: () => Promise<void>): Promise<boolean> {
    const { storage, artifacts, write } = this.#parts;
    return this.#serialized(job.identifier, async () => {
      await mustTake();
      const now = await artifacts.find(job.id, file.path);
      if (now?.sha256 !== before.sha256 || now.bytes !== before.bytes) return false;
      await storage.publish({ job: job.id, epoch: job.epoch }, job.identifier, [file.path]);
      await storage.addChecksums(job.identifier, [file]);
      const bytes = file.bytes - before.bytes;
      const statements = [artifacts.change(job.id, file), artifacts.addUsage(job.pipelineKey, 0, bytes)];
      await write([{ events: [published(job, 0, bytes)], statements }]);
      return true;
    });
  }

  /** An assignment has ended: its unpublished files are deleted. */
  async end(uploader: Uploader): Promise<void> {
    await this.#parts.storage.discard(uploader);
  }

  /** The job was taken from its agent: its published files are deleted, too. Another agent runs it anew in the same place. */
  async revoke(job: PublishingJob): Promise<void> {
    const { storage, artifacts, write } = this.#parts;
    await this.#serialized(job.identifier, async () => {
      await storage.discard({ job: job.id, epoch: job.epoch });
      // A publication that was under way may have come after the job was given up.
      if (await artifacts.hasAny(job.id)) await write([{ events: [], statements: artifacts.removeOfJob(job.id, job.pipelineKey) }]);
      const problems = await storage.remove(job.identifier);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    });
  }

  /** Runs `work` while nothing of a stage run is published. A later publication checks again whether it is allowed. */
  whileNoneIsPublished<T>(stageRun: StageIdentifier, work: () => Promise<T>): Promise<T> {
    return this.#stageRuns.alone(nameOf(stageRun), work);
  }

  /** At the start: deletes the leftovers of assignments that are over. */
  async discardLeftovers(isActive: (uploader: Uploader) => boolean): Promise<void> {
    const { storage } = this.#parts;
    for (const uploader of await storage.uploaders()) if (!isActive(uploader)) await storage.discard(uploader);
  }

  #serialized<T>(identifier: JobIdentifier, work: () => Promise<T>): Promise<T> {
    const stageRun = nameOf(identifier);
    return this.#mutex.run(`${stageRun}/${identifier.job}`, () => this.#stageRuns.together(stageRun, work));
  }

  async #publish(job: PublishingJob, { files, folders }: PublicationRequest): Promise<readonly string[]> {
    const { storage, artifacts } = this.#parts;
    const isNew = await this.#newOnes(job.id, files, folders);
    const fresh = files.filter(({ path }) => isNew(path));
    const missing = await this.#missing(job, fresh);
    if (missing.length > 0) return missing;
    const made = folders.map((folder) => `${folder}/`).filter(isNew);
    await storage.publish({ job: job.id, epoch: job.epoch }, job.identifier, [...fresh.map(({ path }) => path), ...made]);
    await storage.addChecksums(job.identifier, files);
    if (fresh.length + made.length === 0) return missing;
    const common = { job_id: job.id, created_at: this.#parts.now() };
    const rows: Artifact[] = [
      ...fresh.map(({ path, bytes, sha256, md5 }) => ({ ...common, path, bytes, sha256, md5 })),
      ...made.map((path) => ({ ...common, path, bytes: 0, sha256: '', md5: '' })),
    ];
    const bytes = fresh.reduce((sum, file) => sum + file.bytes, 0);
    const statements = [...artifacts.add(rows), artifacts.addUsage(job.pipelineKey, fresh.length, bytes)];
    await this.#parts.write([{ events: [published(job, fresh.length, bytes)], statements }]);
    return missing;
  }

  /** Returns a function that decides whether a path is new. Refused: another file or folder is in the way. */
  async #newOnes(jobId: number, files: readonly ArtifactFile[], folders: readonly string[]): Promise<(path: string) => boolean> {
    const { artifacts } = this.#parts;
    if (!(await artifacts.hasAny(jobId))) return () => true;
    const paths = [...files.map(({ path }) => path), ...folders.map((folder) => `${folder}/`)];
    const above = foldersAbove(paths).union(new Set(folders));
    const rows = await artifacts.findAll(jobId, [...paths, ...above]);
    const known = new Map(rows.map((row) => [row.path, row]));
    const conflict = conflictWith(files, known, above);
    if (conflict) throw new Refusal('conflict', conflict);
    const fresh = files.filter(({ path }) => !known.has(path)).map(({ path }) => `${path}/`);
    // An empty folder of that name counts, too.
    const below = (await artifacts.findAll(jobId, fresh))[0]?.path ?? (await artifacts.findBelow(jobId, fresh));
    if (below !== undefined) throw new Refusal('conflict', fileAndFolder(fresh.find((path) => below.startsWith(path))!.slice(0, -1)));
    return (path) => !known.has(path);
  }

  async #missing(job: PublishingJob, files: readonly ArtifactFile[]): Promise<readonly string[]> {
    const { storage } = this.#parts;
    const paths = files.map(({ path }) => path);
    const came = new Map<string, FileFacts>(await storage.finished({ job: job.id, epoch: job.epoch }, paths));
    // A file at its published path was put there before a crash: only its checksum shows whether it is the right one.
    await inParallel(
      paths.filter((path) => !came.has(path)),
      READ_AT_A_TIME,
      async (path) => {
        const there = await storage.examine(job.identifier, path);
        if (there) came.set(path, there);
      },
    );
    return files
      .filter(({ path, bytes, sha256 }) => came.get(path)?.sha256 !== sha256 || came.get(path)?.bytes !== bytes)
      .map(({ path }) => path);
  }
}

function nameOf(stageRun: StageIdentifier): string {
  return (folderOf(stageRun) ?? []).join('/');
}

/** No names: an event is kept for ever, and shown to all users who may see events. */
function published({ identifier }: PublishingJob, files: number, bytes: number): NewEvent {
  const { pipeline, pipelineCounter, stage, stageCounter, job } = identifier;
  const data = { pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, job, files, bytes };
  return { type: 'artifacts.published', actor: null, about: [{ resource: 'pipelines', id: pipeline }], data };
}

// Joins artifacts to builds: their storage, their publication, and their deletion with the jobs that published them.

import { type PublicationParts, Publications, type PublishingJob } from '../../artifacts/publications.ts';
import { ArtifactBucket } from '../../artifacts/storage/bucket/bucket.ts';
import { ArtifactFolder } from '../../artifacts/storage/folder.ts';
import type { ArtifactStorage } from '../../artifacts/storage/storage.ts';
import { Uploads } from '../../artifacts/uploads/uploads.ts';
import type { BuildState } from '../../builds/build-state.ts';
import type { EngineArtifacts } from '../../builds/engine-parts.ts';
import type { ActiveJob } from '../../builds/jobs/active-builds.ts';
import { identifierOf } from '../../builds/jobs/original-job.ts';
import { Artifacts } from '../../store/builds/artifacts.ts';
import type { Database } from '../../store/database.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';
import type { BuildParts } from './parts.ts';

export interface ArtifactsParts extends Pick<BuildParts, 'disk' | 'health' | 'artifactBucket'> {
  /** The database as the keeper writes to it. */
  readonly database: Database;
  readonly write: CommitWithEvents;
  /** The artifacts directory. */
  folder(): string;
  onFailure(failure: unknown, message: string): void;
}

/** The subject of the health message. */
const BUCKET = 'bucket of artifacts';
/** Maximum size of the part of an upload to a bucket that may lie on the disk at a time. */
const STAGED_BYTES = 16 * 1024 * 1024;

type OnPublished = PublicationParts['onPublished'];

export class OpenArtifacts {
  readonly rows: Artifacts;
  readonly storage: ArtifactStorage;
  readonly #bucket: ArtifactBucket | undefined;
  readonly publications: Publications;
  /** Artifacts that users upload. */
  readonly uploads: Uploads;
  readonly #parts: ArtifactsParts;
  readonly #listeners: OnPublished[] = [];
  /** The deletions under way. */
  readonly #deleting = new Set<Promise<void>>();

  constructor(parts: ArtifactsParts) {
    const { database, disk, write, folder, onFailure } = parts;
    this.#parts = parts;
    this.rows = new Artifacts(database);
    this.#bucket = bucketOf(parts);
    this.storage = this.#bucket ?? new ArtifactFolder(folder);
    this.publications = new Publications({
      storage: this.storage,
      artifacts: this.rows,
      write,
      now: () => database.now(),
      onPublished: async (...published) => {
        for (const listener of this.#listeners) await listener(...published);
      },
      onFailure,
    });
    const { storage, rows: artifacts, publications } = this;
    this.uploads = new Uploads({ storage, artifacts, publications, root: folder, room: () => disk.roomForArtifacts(), onFailure });
  }

  /** Calls back after the commit of each publication, and again when one is said again. */
  onPublished(listener: OnPublished): void {
    this.#listeners.push(listener);
  }

  /** The functions that the engine calls. */
  get ofEngine(): EngineArtifacts {
    const { publications, rows } = this;
    return {
      end: ({ row }) => this.#delete(publications.end({ job: row.id, epoch: row.epoch })),
      revokeStatements: ({ row }) => rows.removeOfJob(row.id, row.pipeline_key),
      revoke: (job) => this.#delete(publications.revoke(publishingJob(job))),
    };
  }

  /** Deletes leftovers of assignments that are over, in the background. */
  start({ active }: Pick<BuildState, 'active'>): void {
    // Requests for artifacts fail with a message, and administrators are notified: it is no reason not to start.
    this.#bucket?.start().catch((failure: unknown) => this.#parts.onFailure(failure, 'the bucket of the artifacts cannot be used'));
    this.#delete(this.publications.discardLeftovers(({ job, epoch }) => active.job(job)?.row.epoch === epoch));
  }

  /** Whether a file of this size may come in. */
  hasRoomFor(bytes: number): boolean {
    return this.#parts.disk.hasRoomFor(this.#bucket ? Math.min(bytes, STAGED_BYTES) : bytes);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#deleting);
  }

  #delete(work: Promise<void>): void {
    const deleted = work
      .catch((failure: unknown) => this.#parts.onFailure(failure, 'leftover artifacts could not be deleted'))
      .finally(() => this.#deleting.delete(deleted));
    this.#deleting.add(deleted);
  }
}

function bucketOf({ artifactBucket, folder, health }: ArtifactsParts): ArtifactBucket | undefined {
  if (!artifactBucket) return undefined;
  return new ArtifactBucket({
    ...artifactBucket,
    folder,
    onTrouble: (trouble) => {
      if (trouble) health.raise(BUCKET, 'ERROR', trouble.message, trouble.detail);
      else health.clear(BUCKET);
    },
  });
}

export function publishingJob({ row, stageRun }: Pick<ActiveJob, 'row' | 'stageRun'>): PublishingJob {
  return { id: row.id, epoch: row.epoch, pipelineKey: row.pipeline_key, identifier: identifierOf(stageRun.run, stageRun.row, row.name) };
}

/** Whether the artifacts of a stage run were deleted, by one of its jobs. */
export async function isPurged({ jobs, stageRuns }: Pick<BuildState, 'jobs' | 'stageRuns'>, jobId: number): Promise<boolean> {
  const job = await jobs.byId(jobId);
  const stageRun = job && (await stageRuns.byId(job.stage_run_id));
  return stageRun?.artifacts_deleted === 1;
}

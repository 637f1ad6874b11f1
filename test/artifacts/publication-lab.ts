// Publications over a real database and a real folder.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Publications, type PublishingJob } from '../../src/artifacts/publications.ts';
import { ArtifactFolder } from '../../src/artifacts/storage/folder.ts';
import type { ArtifactStorage } from '../../src/artifacts/storage/storage.ts';
import type { ArtifactFile } from '../../src/contracts/agent-protocol/messages.ts';
import { Artifacts } from '../../src/store/builds/artifacts.ts';
import { Jobs } from '../../src/store/builds/jobs.ts';
import { Runs } from '../../src/store/builds/runs.ts';
import { StageRuns } from '../../src/store/builds/stage-runs.ts';
import type { Database } from '../../src/store/database.ts';
import type { CommitWithEvents, NewEvent } from '../../src/store/write-with-events.ts';
import { openTestDatabase } from '../support/database/database.ts';

const STAGE = { pipeline: 'App', pipelineCounter: 1, stage: 'build', stageCounter: 1 };

export class PublicationLab {
  readonly directory: string;
  readonly database: Database;
  readonly artifacts: Artifacts;
  readonly events: NewEvent[] = [];
  readonly published: string[] = [];
  readonly failures: unknown[] = [];
  /** Called before each commit. */
  beforeCommit: () => void | Promise<void> = () => {};
  onPublished: () => void = () => {};
  storage: ArtifactStorage;

  private constructor(directory: string, database: Database) {
    this.directory = directory;
    this.database = database;
    this.artifacts = new Artifacts(database);
    this.storage = new ArtifactFolder(() => this.root);
  }

  get root(): string {
    return join(this.directory, 'artifacts');
  }

  static async for(context: TestContext): Promise<PublicationLab> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-publications-'));
    const lab = new PublicationLab(directory, await openTestDatabase(join(directory, 'test.db')));
    context.after(async () => {
      await lab.database.close();
      rmSync(directory, { recursive: true, force: true });
    });
    await lab.#addJobs();
    return lab;
  }

  /** The publications as after each start of the server. */
  get publications(): Publications {
    const write: CommitWithEvents = async (writes) => {
      await this.beforeCommit();
      await this.database.writeTransaction(writes.flatMap(({ statements }) => statements));
      this.events.push(...writes.flatMap(({ events }) => events));
    };
    return new Publications({
      storage: this.storage,
      artifacts: this.artifacts,
      write,
      now: () => 1000,
      onPublished: async ({ id }, type, files) => {
        this.published.push(`${id} ${type} ${files.map(({ path }) => path).join()}`);
        this.onPublished();
      },
      onFailure: (failure) => void this.failures.push(failure),
    });
  }

  job(id: number, epoch = 1): PublishingJob {
    return { id, epoch, pipelineKey: 'app', identifier: { ...STAGE, job: id < 3 ? 'compile' : 'test' } };
  }

  async send(job: PublishingJob, files: Readonly<Record<string, string>>): Promise<ArtifactFile[]> {
    async function* all() {
      for (const [path, content] of Object.entries(files)) yield { path, bytes: Buffer.from(content) };
    }
    await this.storage.receiveAll({ job: job.id, epoch: job.epoch }, all());
    return Object.entries(files).map(([path, content]) => factsOf(path, content));
  }

  publish(job: PublishingJob, files: readonly ArtifactFile[], folders: readonly string[] = [], isOwner = true) {
    return this.publications.publish(job, { type: 'build', files, folders }, async () => isOwner);
  }

  async paths(job: PublishingJob): Promise<string[]> {
    return (await this.artifacts.page(job.id, {}, 1000)).map(({ path }) => path);
  }

  /** 1 and 2 are the same job, taken from its agent; 3 is another one of the stage run. */
  async #addJobs(): Promise<void> {
    const common = { pipeline_key: 'app', scheduled_at: 1 };
    const run = { ...common, id: 1, pipeline: 'App', counter: 1, label: '1', trigger: 'x', message: '', approver: '', comment: null };
    const stage = { ...common, id: 1, run_id: 1, stage_key: 'build', stage: 'build', position: 0, counter: 1, result: 'Unknown' } as const;
    const more = { approval: 'success', approved_by: 'x', completed_at: null, is_latest: 1, rerun_of_counter: null, cancelled_by: null };
    const flags = { fetch_materials: 1, clean_working_directory: 0, artifacts_deleted: 0, configuration: 1 };
    const now = { state: 'Building', result: 'Unknown' } as const;
    const job = { ...common, ...now, stage_run_id: 1, stage_key: 'build', agent_uuid: 'a', pinned_to: null };
    const rest = { completed_at: null, is_rerun: 0, original_id: null, epoch: 1, last_report: 0 };
    const name = (id: number) => (id < 3 ? 'compile' : 'test');
    await this.database.writeTransaction([
      ...new Runs(this.database).add({ ...run, variables: '[]', configuration: 1 }, []),
      ...new StageRuns(this.database).add({ ...stage, ...more, ...flags }),
      ...[1, 2, 3].flatMap((id) => new Jobs(this.database).add({ ...job, ...rest, id, name: name(id), job_key: name(id) }, undefined)),
    ]);
  }
}

/** The recorded usage of the artifacts of a pipeline. */
export async function usageOf({ query }: Database, pipelineKey: string): Promise<{ files: number; bytes: number } | undefined> {
  const row = await query.selectFrom('artifact_usage').selectAll().where('pipeline_key', '=', pipelineKey).executeTakeFirst();
  return row && { files: Number(row.files), bytes: Number(row.bytes) };
}

export function factsOf(path: string, content: string): ArtifactFile {
  const digest = (type: string) => createHash(type).update(content).digest('hex');
  return { path, bytes: Buffer.byteLength(content), sha256: digest('sha256'), md5: digest('md5') };
}

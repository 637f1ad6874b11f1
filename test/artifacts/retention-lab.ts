// Stage runs with artifacts: rows in a real database of either engine, and files below a temporary folder.
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SpaceSettings } from '../../src/artifacts/retention/disk-space.ts';
import type { RetentionFacts } from '../../src/artifacts/retention/facts.ts';
import { Purger } from '../../src/artifacts/retention/purger.ts';
import { Retention } from '../../src/artifacts/retention/retention.ts';
import type { RetentionRule } from '../../src/artifacts/retention/rules.ts';
import { folderOf, KEPT_FOLDERS, type StageIdentifier } from '../../src/artifacts/stage-run.ts';
import { ArtifactFolder } from '../../src/artifacts/storage/folder.ts';
import { EventLog } from '../../src/events/event-log.ts';
import { PurgeableRuns } from '../../src/store/artifacts/purgeable-runs.ts';
import { Purges } from '../../src/store/artifacts/purges.ts';
import { ArtifactUsage } from '../../src/store/artifacts/usage.ts';
import { Artifacts } from '../../src/store/builds/artifacts.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { Tables } from '../../src/store/tables.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

export const GIGABYTE = 1024 ** 3;
export const DAY_MS = 24 * 60 * 60 * 1000;
/** Every file counts as a gigabyte, with any content. */
const FILE_BYTES = GIGABYTE;

export interface LabStageRun {
  readonly pipeline?: string;
  readonly counter?: number;
  readonly stage?: string;
  readonly stageCounter?: number;
  readonly completedAt?: number | null;
  /** The paths of each job. */
  readonly jobs?: readonly (readonly string[])[];
}

export interface LabEngine {
  open(): Promise<Database>;
  stop(): Promise<void>;
}

export function sqliteEngine(): LabEngine {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-retention-db-'));
  let count = 0;
  return {
    open: async () => openSqlite(join(folder, `${++count}.db`)),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function postgresEngine(): Promise<LabEngine> {
  const server: Postgres = await startPostgres();
  return {
    open: async () => openPostgres({ url: await server.createDatabase(), password: undefined }),
    stop: () => server.stop(),
  };
}

export class RetentionLab {
  readonly root: string;
  readonly database: Database;
  readonly events: EventLog;
  readonly runs: PurgeableRuns;
  readonly usage: ArtifactUsage;
  readonly storage = new ArtifactFolder(() => this.root);
  readonly kept = new Set<string>();
  readonly lines: { readonly level: string; readonly message: string }[] = [];
  settings: SpaceSettings = { start: null, upto: null };
  rules: RetentionRule[] = [];
  /** The size of a disk that has nothing but artifacts on it. */
  disk = Number.MAX_SAFE_INTEGER;
  now = 1_000 * DAY_MS;
  isHeld = false;
  /** Called before the files of a stage run go. */
  onRemove: (stage: StageIdentifier) => void | Promise<void> = () => {};
  #stageRuns = 0;
  #jobs = 0;
  readonly #runIds = new Map<string, number>();
  #files = 0;

  private constructor(database: Database, events: EventLog, root: string) {
    this.root = root;
    this.database = database;
    this.events = events;
    this.runs = new PurgeableRuns(database, KEPT_FOLDERS);
    this.usage = new ArtifactUsage(database);
  }

  static async on(engine: LabEngine): Promise<RetentionLab> {
    const database = await engine.open();
    await migrate(database);
    return new RetentionLab(database, await EventLog.open(database), mkdtempSync(join(tmpdir(), 'slipway-retention-')));
  }

  /** A lab on the database of a running server, which is not to be closed. */
  static async in(database: Database, root: string): Promise<RetentionLab> {
    return new RetentionLab(database, await EventLog.open(database), root);
  }

  async close(): Promise<void> {
    await this.events.settle();
    await this.database.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  get facts(): RetentionFacts {
    return {
      runs: this.runs,
      settings: () => this.settings,
      rules: () => this.rules,
      stageNow: (pipeline, stageKey) => ({ neverCleanupArtifacts: this.kept.has(`${pipeline}/${stageKey}`) }),
      free: async () => this.disk - this.#files * FILE_BYTES,
      now: () => this.now,
    };
  }

  /** The retention as after a start, when nothing is remembered. */
  retention(): Retention {
    const { database, events, runs, facts } = this;
    const say = (level: string) => (_: object, message: string) => void this.lines.push({ level, message });
    const log = { info: say('info'), warn: say('warn') };
    const purger = new Purger({
      database,
      write: (writes) => events.write(writes, database),
      runs,
      purges: new Purges(database, KEPT_FOLDERS),
      storage: { remove: (stage) => this.#remove(stage) },
      publications: { whileNoneIsPublished: (_, work) => work() },
      log,
    });
    return new Retention({ facts, purger, isHeld: () => this.isHeld, log });
  }

  /** Returns its id. */
  async stageRun(one: LabStageRun = {}): Promise<number> {
    const { pipeline = 'app', stage = 'build', stageCounter = 1, completedAt = this.now, jobs = [['a.bin']] } = one;
    const id = ++this.#stageRuns;
    const counter = one.counter ?? id;
    const key = pipeline.toLowerCase();
    const runId = await this.#run(pipeline, counter);
    await this.#insert('stage_runs', {
      ...{ id, run_id: runId, pipeline_key: key, stage_key: stage.toLowerCase(), stage, position: 0, counter: stageCounter },
      ...{ result: completedAt === null ? 'Unknown' : 'Passed', approval: 'success', approved_by: 'changes', scheduled_at: 1 },
      ...{ completed_at: completedAt, is_latest: 1, rerun_of_counter: null, cancelled_by: null, fetch_materials: 1 },
      ...{ clean_working_directory: 0, artifacts_deleted: 0, configuration: 1 },
    });
    for (const [index, paths] of jobs.entries()) await this.#job({ pipeline, counter, stage, stageCounter }, id, `job-${index}`, paths);
    return id;
  }

  async purgedIds(): Promise<number[]> {
    const { query } = this.database;
    const rows = await query.selectFrom('stage_runs').select('id').where('artifacts_deleted', '=', 1).orderBy('id').execute();
    return rows.map(({ id }) => Number(id));
  }

  async pathsOf(stageRun: number): Promise<string[]> {
    const rows = await this.database.query
      .selectFrom('artifacts')
      .innerJoin('jobs', 'jobs.id', 'artifacts.job_id')
      .select('path')
      .where('stage_run_id', '=', stageRun)
      .orderBy('path')
      .execute();
    return rows.map(({ path }) => path);
  }

  async purgeEvents(): Promise<readonly unknown[]> {
    const events = await this.events.after(0, 1000);
    return events
      .filter(({ content }) => content.type === 'artifacts.purged')
      .map(({ content: { about, data } }) => ({ about: about.map(({ resource, id }) => `${resource} ${id}`), ...data }));
  }

  /** Below the folder of the stage run. */
  hasFile(counter: number, path: string, { pipeline = 'app', stage = 'build', stageCounter = 1 } = {}): boolean {
    return existsSync(join(this.root, ...folderOf({ pipeline, pipelineCounter: counter, stage, stageCounter })!, path));
  }

  async rows(table: 'purges' | 'artifact_usage'): Promise<readonly unknown[]> {
    return (await this.database.query.selectFrom(table).selectAll().execute()).map((row) => ({ ...row }));
  }

  async #run(pipeline: string, counter: number): Promise<number> {
    const name = `${pipeline}/${counter}`;
    const known = this.#runIds.get(name);
    if (known !== undefined) return known;
    const id = this.#runIds.size + 1;
    this.#runIds.set(name, id);
    await this.#insert('runs', {
      ...{ id, pipeline_key: pipeline.toLowerCase(), pipeline, counter, label: String(counter), trigger: 'changes', message: '' },
      ...{ approver: 'changes', comment: null, scheduled_at: 1, variables: '[]', configuration: 1 },
    });
    return id;
  }

  async #job(
    stage: { pipeline: string; counter: number; stage: string; stageCounter: number },
    stageRun: number,
    name: string,
    paths: readonly string[],
  ): Promise<void> {
    const id = ++this.#jobs;
    const key = stage.pipeline.toLowerCase();
    await this.#insert('jobs', {
      ...{ id, stage_run_id: stageRun, pipeline_key: key, stage_key: stage.stage.toLowerCase(), job_key: name, name },
      ...{ state: 'Completed', result: 'Passed', agent_uuid: null, pinned_to: null, scheduled_at: 1, completed_at: 1 },
      ...{ is_rerun: 0, original_id: null, epoch: 1, last_report: 1 },
    });
    const files = paths.filter((path) => !path.endsWith('/'));
    for (const path of files) this.#write({ ...stage, pipelineCounter: stage.counter }, join(name, path));
    const artifacts = new Artifacts(this.database);
    const common = { job_id: id, sha256: '', md5: '', created_at: 1 };
    const rows = paths.map((path) => ({ ...common, path, bytes: path.endsWith('/') ? 0 : FILE_BYTES }));
    await this.database.writeTransaction([...artifacts.add(rows), artifacts.addUsage(key, files.length, files.length * FILE_BYTES)]);
  }

  #write(stage: StageIdentifier, path: string): void {
    const file = join(this.root, ...folderOf(stage)!, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x');
    this.#files++;
  }

  async #insert<T extends keyof Tables>(table: T, row: object): Promise<void> {
    await this.database.writeTransaction([
      this.database.query
        .insertInto(table)
        .values(row as never)
        .compile(),
    ]);
  }

  async #remove(stage: StageIdentifier): Promise<readonly string[]> {
    await this.onRemove(stage);
    const before = this.#filesOf(stage);
    const problems = await this.storage.remove(stage);
    this.#files -= before - this.#filesOf(stage);
    return problems;
  }

  #filesOf(stage: StageIdentifier): number {
    const entries = globSync('**/*', { cwd: join(this.root, ...folderOf(stage)!), withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  }
}

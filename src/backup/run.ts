// One backup from its first step to its last.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import { PendingWork } from '../kit/concurrency/pending-work.ts';
import { copyBackup } from './copy/copy-backup.ts';
import { bytesNeeded, diskSpaceProblem } from './disk-space.ts';
import { partialName, scratchName } from './folder-name.ts';
import type { JobName, Jobs } from './jobs/messages.ts';
import type { Progress } from './jobs/progress.ts';
import type { RunJob } from './jobs/run-job.ts';
import type { BackupParts } from './parts.ts';
import { PHASE_OF, Phases } from './phases.ts';
import { type BackupRecord, failedBecause, SCRIPT_FAILED, STEPS, type Step, SUCCEEDED } from './record.ts';
import type { BackupTable } from './record-table.ts';
import { hasAllowedLocation } from './script/check-script.ts';
import { FORBIDDEN_LOCATION, scriptEnvironment, serverFolders } from './script/rules.ts';

export interface RunParts extends BackupParts {
  readonly table: BackupTable;
  readonly runJob: RunJob;
  /** The server stops. */
  readonly signal: AbortSignal;
}

const DIRECTORY_MODE = 0o700;
/** The subject of the health message. */
export const UNVERIFIED = 'verification of backups';

class NoFolder extends Error {}
class ScriptFailed extends Error {}

export class BackupRun {
  readonly #parts: RunParts;
  readonly #phases = new Phases();
  /** Steps that are on their way to the disk. */
  readonly #noting = new PendingWork();
  #record: BackupRecord;
  /** The folder has its name. */
  #isNamed = false;

  constructor(parts: RunParts, record: BackupRecord) {
    this.#parts = parts;
    this.#record = record;
  }

  /** The record of the backup as it is now. */
  get record(): BackupRecord {
    return { ...this.#record, phases: this.#phases.all() };
  }

  /** The record at its end; when the server stops before, it stays as it is and the next start ends it. */
  async run(): Promise<BackupRecord> {
    const { signal, log } = this.#parts;
    try {
      await this.#step('STARTING');
      const script = this.#script();
      await this.#makeFolder();
      await this.#write();
      await this.#verify();
      await this.#copy();
      if (script) await this.#runScript(script);
      await this.#complete();
    } catch (failure) {
      if (signal.aborted) return this.record;
      log.error({ err: failure, backup: this.#record.id }, 'a backup failed');
      await this.#fail(failure as Error);
    } finally {
      await this.#noting.ended();
    }
    return this.record;
  }

  get #partial(): string {
    return join(this.#backupsDir, partialName(basename(this.#record.path)));
  }

  get #backupsDir(): string {
    return dirname(this.#record.path);
  }

  #script(): string | undefined {
    const path = this.#parts.settings().postBackupScript?.trim();
    if (!path) return undefined;
    if (!hasAllowedLocation(path, serverFolders(this.#parts))) throw new Error(FORBIDDEN_LOCATION);
    return path;
  }

  async #makeFolder(): Promise<void> {
    await this.#step('CREATING_DIR');
    try {
      await mkdir(this.#backupsDir, { recursive: true, mode: DIRECTORY_MODE });
      await mkdir(this.#partial, { mode: DIRECTORY_MODE });
    } catch (failure) {
      throw new NoFolder('Could not create the backup directory.', { cause: failure });
    }
    const lack = await diskSpaceProblem(this.#backupsDir, await bytesNeeded(this.#parts));
    if (lack !== undefined) throw new Error(lack);
  }

  async #write(): Promise<void> {
    const { dataDir, artifactsDir, cipherKeyFile, version, database, source } = this.#parts;
    const { id, time, user, path } = this.#record;
    await this.#parts.recordHistory();
    const log = database.holdLog();
    try {
      const order = { folder: this.#partial, dataDir, artifactsDir, cipherKeyFile, version, source, backup: { id, time, user } };
      const { bytes } = await this.#job('write', order);
      await rename(this.#partial, path);
      this.#isNamed = true;
      await syncFolder(this.#backupsDir);
      this.#phases.end();
      await this.#change({ bytes });
    } finally {
      log.release();
    }
  }

  async #verify(): Promise<void> {
    this.#phases.start('verification');
    const lack = await diskSpaceProblem(this.#backupsDir, this.#record.bytes ?? 0);
    if (lack !== undefined) {
      this.#parts.health.raise(UNVERIFIED, 'WARNING', 'Unable to verify the last backup.', lack);
      return this.#change({ verified: false, verification: lack });
    }
    const scratch = join(this.#backupsDir, scratchName(basename(this.#record.path)));
    const { problems, bytes } = await this.#job('verify', { folder: this.#record.path, scratch });
    this.#phases.end();
    if (problems.length > 0) {
      await this.#change({ verified: false, verification: problems.join('\n') });
      throw new Error(`The backup is not what was written. ${problems.join(' ')}`);
    }
    this.#parts.health.clear(UNVERIFIED);
    await this.#change({ verified: true, ...(bytes !== undefined && { bytes }) });
  }

  async #copy(): Promise<void> {
    const { bucket } = this.#parts.settings();
    if (!bucket) return;
    this.#phases.start('copy');
    await copyBackup({ ...this.#parts, onProgress: (progress) => this.#onProgress(progress) }, this.#record, bucket, (copy) =>
      this.#change({ copy }),
    );
    this.#phases.end();
  }

  async #runScript(path: string): Promise<void> {
    const { settings, log, signal } = this.#parts;
    const { id, time, via, user, path: folder } = this.#record;
    await this.#step('POST_BACKUP_SCRIPT_START');
    const environment = scriptEnvironment({ time, path: folder, backupsDir: this.#backupsDir, via, user });
    const outcome = await this.#job('script', { path, environment, limitMs: settings().scriptLimitMs }).catch((failure: Error) => {
      if (signal.aborted) throw failure;
      return { exitStatus: null, output: '', problem: failure.message };
    });
    this.#phases.end();
    const script = { path, ...outcome };
    log.info({ backup: id, ...script }, 'the script after a backup has ended');
    if (outcome.problem !== null) {
      await this.#change({ script });
      throw new ScriptFailed(SCRIPT_FAILED);
    }
    await this.#change({ script, step: 'POST_BACKUP_SCRIPT_COMPLETE', message: STEPS.POST_BACKUP_SCRIPT_COMPLETE });
  }

  #job<Name extends JobName>(name: Name, order: Jobs[Name]['order']): Promise<Jobs[Name]['result']> {
    const { runJob, signal } = this.#parts;
    return runJob(name, order, { signal, onProgress: (progress) => this.#onProgress(progress) });
  }

  #onProgress({ step, phase: named, bytes, total }: Progress): void {
    const phase = named ?? (step && PHASE_OF[step]);
    if (phase) this.#phases.start(phase);
    this.#phases.add({ bytes, total });
    if (!step) return;
    const noted = this.#step(step);
    this.#noting.add(noted.catch((failure: unknown) => this.#parts.log.error({ err: failure }, 'the step of a backup could not be noted')));
  }

  #step(step: Step): Promise<void> {
    const phase = PHASE_OF[step];
    if (phase && this.#phases.current !== phase) this.#phases.start(phase);
    return this.#change({ step, message: STEPS[step] });
  }

  async #change(change: Partial<BackupRecord>, extraStatements: readonly CompiledQuery[] = []): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#parts.table.save(this.record, extraStatements);
  }

  async #complete(): Promise<void> {
    const { settings, mails } = this.#parts;
    const { path, user } = this.#record;
    await this.#end(
      { status: 'COMPLETED', message: SUCCEEDED },
      settings().emailOnSuccess ? mails.completed({ folder: path, by: user }) : [],
    );
  }

  async #fail(failure: Error): Promise<void> {
    const { settings, mails } = this.#parts;
    const { message } = failure;
    const isWritten = failure instanceof ScriptFailed;
    if (!isWritten && !(failure instanceof NoFolder)) await this.#removeFolder();
    await this.#end(
      { status: 'ERROR', message: isWritten ? message : failedBecause(message) },
      settings().emailOnFailure ? mails.failed({ reason: message }) : [],
    );
  }

  /** A folder that cannot be removed does not keep the record from its end, nor the mail from being sent. */
  async #removeFolder(): Promise<void> {
    await rm(this.#isNamed ? this.#record.path : this.#partial, { recursive: true, force: true }).catch((failure: unknown) =>
      this.#parts.log.warn({ err: failure, backup: this.#record.id }, 'the folder of a failed backup could not be removed'),
    );
  }

  /** The end is shown only once it is on disk: no client sees a backup complete that is not complete after a crash. */
  async #end(change: Pick<BackupRecord, 'status' | 'message'>, mail: readonly CompiledQuery[]): Promise<void> {
    this.#phases.end();
    const ended: BackupRecord = { ...this.record, ...change, endedAt: new Date().toISOString() };
    await this.#parts.table.save(ended, mail);
    this.#record = ended;
    if (mail.length > 0) this.#parts.mails.wake();
  }
}

/** Asynchronous, because the disk is busy now: requests go on meanwhile. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // see syncDirectory
  await using folder = await open(path);
  await folder.sync();
}

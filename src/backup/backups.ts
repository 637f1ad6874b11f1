// The backups of this server, made from each `start` to the next `stop`. Between them another one makes them.
import { NotKeeper } from '../kit/concurrency/periodic/keeper.ts';
import { makePrivate } from '../store/files/private-files.ts';
import { backupsFolder } from './folder-name.ts';
import { type RunJob, runJob } from './jobs/run-job.ts';
import { isFolder, removeLeftovers } from './leftovers.ts';
import type { BackupParts } from './parts.ts';
import { BackupQueue } from './queue.ts';
import { type BackupRecord, INTERRUPTED, type Via } from './record.ts';
import { BackupTable } from './record-table.ts';
import { scriptProblem } from './script/check-script.ts';
import { serverFolders } from './script/rules.ts';

export class Backups {
  readonly #parts: BackupParts;
  readonly #table: BackupTable;
  readonly #runJob: RunJob;
  #queue: BackupQueue | undefined;

  constructor(parts: BackupParts, run: RunJob = runJob) {
    this.#parts = parts;
    this.#table = new BackupTable(parts.database);
    this.#runJob = run;
  }

  /** Ends the records of backups that were cut off, and removes their leftovers; no other server may make any now. */
  async start(): Promise<void> {
    const unfinished = await this.#table.unfinished();
    for (const record of unfinished) await abort(record, this.#table, this.#parts);
    if (unfinished.length > 0) this.#parts.mails.wake();
    await tidyUp(backupsFolder(this.#parts.artifactsDir), this.#parts);
    this.#queue = new BackupQueue({ ...this.#parts, table: this.#table, runJob: this.#runJob });
  }

  /** A running backup is cut off; the next start records it as aborted. */
  async stop(): Promise<void> {
    const queue = this.#queue;
    this.#queue = undefined;
    await queue?.stop();
  }

  /** Returns when the record is on disk; the backup itself comes in its turn. */
  async request(user: string, via: Via): Promise<BackupRecord> {
    return this.#mustHaveQueue().request(user, via);
  }

  /** Returns when those that were asked for so far have ended, or were cut off. */
  async settled(): Promise<void> {
    await this.#queue?.settled();
  }

  /** The one that runs, or is about to. */
  get running(): BackupRecord | undefined {
    return this.#mustHaveQueue().running;
  }

  /** Whether one waits for its turn. */
  get hasWaiting(): boolean {
    return this.#mustHaveQueue().hasWaiting;
  }

  async find(id: number): Promise<BackupRecord | undefined> {
    const current = this.#queue?.current;
    return current?.id === id ? current : this.#table.find(id);
  }

  /** The newest first. */
  async list(limit: number, before?: number): Promise<BackupRecord[]> {
    const current = this.#queue?.current;
    const found = await this.#table.list(limit, before);
    return found.map((record) => (record.id === current?.id ? current : record));
  }

  /** Tries again copies to the bucket that failed or were cut off. */
  async copyAgain(): Promise<void> {
    await this.#mustHaveQueue().copyAgain();
  }

  /** Why a script could not be run after a backup, as things are now. */
  problemWithScript(path: string): string | undefined {
    return scriptProblem(path, serverFolders(this.#parts));
  }

  #mustHaveQueue(): BackupQueue {
    if (!this.#queue) throw new NotKeeper();
    return this.#queue;
  }
}

async function abort(cutOff: BackupRecord, table: BackupTable, { settings, mails, onEnded }: BackupParts): Promise<void> {
  const record: BackupRecord = { ...cutOff, status: 'ABORTED', message: INTERRUPTED, endedAt: new Date().toISOString() };
  await table.save(record, settings().emailOnFailure ? mails.failed({ reason: INTERRUPTED }) : []);
  onEnded?.(record);
}

/** Leftovers are removed, and the rest is closed to others: the artifacts directory may lie outside of the data directory. */
async function tidyUp(folder: string, { log }: BackupParts): Promise<void> {
  if (!isFolder(folder)) return;
  await removeLeftovers(folder);
  const open = makePrivate(folder);
  if (open.length > 0) log.warn({ files: open }, 'others can read backups: they belong to another user');
}

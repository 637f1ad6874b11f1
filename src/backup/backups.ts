// The backups of this server: one at a time, in the order in which they were asked for.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makePrivate } from '../store/files/private-files.ts';
import { copyBackup } from './copy/copy-backup.ts';
import { backupsFolder, folderName, isLeftOver } from './folder-name.ts';
import { type RunJob, runJob } from './jobs/run-job.ts';
import type { BackupParts } from './parts.ts';
import { type BackupRecord, INTERRUPTED, SCHEDULED, type Via } from './record.ts';
import { BackupTable } from './record-table.ts';
import { decideRemovals, removeFolder } from './retention.ts';
import { BackupRun, type RunParts } from './run.ts';
import { scriptProblem } from './script/check-script.ts';
import { placesOf } from './script/rules.ts';

const UNABLE = 'scheduled backup';

export class Backups {
  readonly #parts: RunParts;
  readonly #stopping: AbortController;
  readonly #waiting: BackupRecord[] = [];
  /** Names that are given to folders which may not exist yet. */
  readonly #names = new Set<string>();
  #current: BackupRun | undefined;
  #turn: Promise<void> = Promise.resolve();

  private constructor(parts: RunParts, stopping: AbortController) {
    this.#parts = parts;
    this.#stopping = stopping;
  }

  /** Ends the records of backups that a crash has cut off, and removes what is left of them. */
  static async open(parts: BackupParts, run: RunJob = runJob): Promise<Backups> {
    const stopping = new AbortController();
    const table = new BackupTable(parts.database);
    for (const record of await table.unfinished()) await abort(record, table, parts);
    await tidyUp(backupsFolder(parts.artifactsDir), parts);
    return new Backups({ ...parts, table, runJob: run, signal: stopping.signal }, stopping);
  }

  /** Returns when the record is on disk; the backup itself comes in its turn. */
  async request(user: string, via: Via): Promise<BackupRecord> {
    const now = new Date();
    const name = folderName(now, (one) => this.#names.has(one) || existsSync(join(this.#folder, one)));
    this.#names.add(name);
    const asked: Omit<BackupRecord, 'id'> = {
      time: now.toISOString(),
      user,
      via,
      status: 'IN_PROGRESS',
      step: 'STARTING',
      message: SCHEDULED,
      path: join(this.#folder, name),
      endedAt: null,
      bytes: null,
      phases: [],
      verified: null,
      verification: null,
      script: null,
      copy: null,
      removedAt: null,
    };
    const record = await this.#parts.table.add(asked).catch((failure: unknown) => {
      this.#names.delete(name);
      throw failure;
    });
    this.#waiting.push(record);
    this.#inTurn(() => this.#runNext());
    return record;
  }

  /** Returns when those that were asked for so far have ended, or were cut off. */
  settled(): Promise<void> {
    return this.#turn;
  }

  /** The one that runs, or is about to. */
  get running(): BackupRecord | undefined {
    return this.#current?.record ?? this.#waiting[0];
  }

  /** Whether one waits for its turn. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  async find(id: number): Promise<BackupRecord | undefined> {
    const current = this.#current?.record;
    return current?.id === id ? current : this.#parts.table.find(id);
  }

  /** The newest first. */
  async list(most: number, before?: number): Promise<BackupRecord[]> {
    const current = this.#current?.record;
    const found = await this.#parts.table.list(most, before);
    return found.map((record) => (record.id === current?.id ? current : record));
  }

  /** Tries again what could not be copied to the bucket, or was cut off. */
  copyAgain(): Promise<void> {
    return this.#inTurn(async () => {
      const { bucket } = this.#parts.settings();
      if (!bucket) return;
      for (const record of await this.#parts.table.withFolder()) {
        if (record.copy?.status !== 'waiting' && record.copy?.status !== 'running') continue;
        const save = (copy: NonNullable<BackupRecord['copy']>) => this.#parts.table.save({ ...record, copy });
        if (existsSync(record.path)) await copyBackup({ ...this.#parts, onProgress: () => {} }, record, bucket, save);
        else await save({ ...record.copy, status: 'failed', message: 'The folder of the backup has gone.' });
      }
    });
  }

  /** Why a script could not be run after a backup, as things are now. */
  problemWithScript(path: string): string | undefined {
    return scriptProblem(path, placesOf(this.#parts));
  }

  /** What runs is cut off; the next start says so. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turn;
  }

  get #folder(): string {
    return backupsFolder(this.#parts.artifactsDir);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (this.#stopping.signal.aborted) return;
      await work().catch((failure: unknown) => {
        if (!this.#stopping.signal.aborted) this.#parts.log.error({ err: failure }, 'a backup could not be brought to its end');
      });
    });
    return this.#turn;
  }

  async #runNext(): Promise<void> {
    const record = this.#waiting.shift()!;
    this.#current = new BackupRun(this.#parts, record);
    this.#parts.onStarted?.(record);
    try {
      this.#tellOf(await this.#current.run());
    } finally {
      this.#current = undefined;
      this.#names.delete(basename(record.path));
    }
    await this.#removeOld();
  }

  #tellOf(record: BackupRecord): void {
    const { status, via, message } = record;
    const { health } = this.#parts;
    if (status !== 'IN_PROGRESS') this.#parts.onEnded?.(record);
    if (status === 'COMPLETED') health.clear(UNABLE);
    else if (status === 'ERROR' && via === 'TIMER') health.raise(UNABLE, 'ERROR', 'Unable to perform scheduled backup.', message);
  }

  async #removeOld(): Promise<void> {
    const { table, settings, log } = this.#parts;
    // On a busy machine a process of a server that was killed may go on for a moment, and begin something after the next start.
    await removeLeftOvers(this.#folder);
    const now = new Date();
    for (const record of decideRemovals(await table.withFolder(), settings().retention, now)) {
      await removeFolder(record, this.#folder);
      await table.save({ ...record, removedAt: now.toISOString() });
      log.info({ backup: record.id, path: record.path }, 'an old backup was removed');
    }
  }
}

async function abort(cutOff: BackupRecord, table: BackupTable, { settings, mails, onEnded }: BackupParts): Promise<void> {
  const record: BackupRecord = { ...cutOff, status: 'ABORTED', message: INTERRUPTED, endedAt: new Date().toISOString() };
  await table.save(record, settings().emailOnFailure ? mails.failed({ reason: INTERRUPTED }) : []);
  onEnded?.(record);
}

/** What is left over is removed, and the rest is closed to others: the artifacts directory may lie outside of the data directory. */
async function tidyUp(folder: string, { log }: BackupParts): Promise<void> {
  if (!isFolder(folder)) return;
  await removeLeftOvers(folder);
  const open = makePrivate(folder);
  if (open.length > 0) log.warn({ files: open }, 'others can read backups: they belong to another user');
}

async function removeLeftOvers(folder: string): Promise<void> {
  if (!isFolder(folder)) return;
  for (const name of readdirSync(folder)) if (isLeftOver(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** A file in its place is told when a backup is made. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

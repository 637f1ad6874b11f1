// Backups from a start to a stop: one at a time, in the order in which they were asked for.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PendingWork } from '../kit/concurrency/pending-work.ts';
import { SerialQueue } from '../kit/concurrency/serial-queue.ts';
import { copyBackup, UNCOPIED } from './copy/copy-backup.ts';
import { backupsFolder, folderName } from './folder-name.ts';
import { removeLeftovers } from './leftovers.ts';
import { type BackupRecord, SCHEDULED, type Via } from './record.ts';
import { decideRemovals, removeFolder } from './retention.ts';
import { BackupRun, type RunParts, UNVERIFIED } from './run.ts';

const UNABLE = 'scheduled backup';

export class BackupQueue {
  readonly #parts: RunParts;
  readonly #stopping = new AbortController();
  readonly #waiting: BackupRecord[] = [];
  /** Names that are given to folders which may not exist yet. */
  readonly #names = new Set<string>();
  readonly #adding = new PendingWork();
  #current: BackupRun | undefined;
  readonly #queue = new SerialQueue();

  constructor(parts: Omit<RunParts, 'signal'>) {
    this.#parts = { ...parts, signal: this.#stopping.signal };
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
    const record = await this.#adding.add(this.#parts.table.add(asked)).catch((failure: unknown) => {
      this.#names.delete(name);
      throw failure;
    });
    this.#waiting.push(record);
    void this.#serially(() => this.#runNext());
    return record;
  }

  /** Returns when those that were asked for so far have ended, or were cut off. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** The one that runs, or is about to. */
  get running(): BackupRecord | undefined {
    return this.#current?.record ?? this.#waiting[0];
  }

  /** Whether one waits for its turn. */
  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The one that runs, as it is now. */
  get current(): BackupRecord | undefined {
    return this.#current?.record;
  }

  /** Tries again copies to the bucket that failed or were cut off. */
  copyAgain(): Promise<void> {
    return this.#serially(async () => {
      const { bucket } = this.#parts.settings();
      if (!bucket) return;
      for (const record of await this.#parts.table.withFolder()) {
        if (this.#stopping.signal.aborted) return;
        if (record.copy?.status !== 'waiting' && record.copy?.status !== 'running') continue;
        const save = (copy: NonNullable<BackupRecord['copy']>) => this.#parts.table.save({ ...record, copy });
        if (existsSync(record.path)) await copyBackup({ ...this.#parts, onProgress: () => {} }, record, bucket, save);
        else await save({ ...record.copy, status: 'failed', message: 'The folder of the backup has gone.' });
      }
    });
  }

  /** A running backup is cut off; the next start records it as aborted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#adding.ended();
    await this.#queue.settled();
    for (const about of [UNABLE, UNVERIFIED, UNCOPIED]) this.#parts.health.clear(about);
  }

  get #folder(): string {
    return backupsFolder(this.#parts.artifactsDir);
  }

  #serially(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#stopping.signal.aborted) return;
      await work().catch((failure: unknown) => {
        if (!this.#stopping.signal.aborted) this.#parts.log.error({ err: failure }, 'a backup could not be brought to its end');
      });
    });
  }

  async #runNext(): Promise<void> {
    const record = this.#waiting.shift()!;
    this.#current = new BackupRun(this.#parts, record);
    this.#parts.onStarted?.(record);
    try {
      this.#reportEnd(await this.#current.run());
    } finally {
      this.#current = undefined;
      this.#names.delete(basename(record.path));
    }
    await this.#removeOld();
  }

  #reportEnd(record: BackupRecord): void {
    const { status, via, message } = record;
    const { health } = this.#parts;
    if (status !== 'IN_PROGRESS') this.#parts.onEnded?.(record);
    if (status === 'COMPLETED') health.clear(UNABLE);
    else if (status === 'ERROR' && via === 'TIMER') health.raise(UNABLE, 'ERROR', 'Unable to perform scheduled backup.', message);
  }

  async #removeOld(): Promise<void> {
    const { table, settings, log } = this.#parts;
    // On a busy machine a process of a server that was killed may go on for a moment, and begin something after the next start.
    await removeLeftovers(this.#folder);
    if (this.#stopping.signal.aborted) return;
    const now = new Date();
    for (const record of decideRemovals(await table.withFolder(), settings().retention, now)) {
      await removeFolder(record, this.#folder);
      await table.save({ ...record, removedAt: now.toISOString() });
      log.info({ backup: record.id, path: record.path }, 'an old backup was removed');
    }
  }
}

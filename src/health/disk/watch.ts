// Watches the disks of artifacts and data: administrators are notified when one runs low, and nothing that needs room begins when it is full.

import { Refusal } from '../../kit/refusal.ts';
import type { HealthMessages } from '../messages.ts';
import { freeSpace } from './free-space.ts';
import {
  DATABASE_DISK_FULL,
  DATABASE_DISK_REFUSAL,
  type DiskFacts,
  type DiskUse,
  type Level,
  type Limits,
  levelOf,
  messageOf,
  refusalOf,
  unwatched,
} from './level.ts';

/** Notifies administrators, once for each time that a disk runs low or full. */
export interface DiskNotices {
  notify(level: 'low' | 'full', facts: DiskFacts): Promise<void>;
  /** From now on administrators may be notified of it again. */
  resolve(level: 'low' | 'full', use: DiskUse): Promise<void>;
}

/** The disk of a database server, whose free space is unknown here. */
export interface DatabaseServerDisk {
  readonly isFull: boolean;
  /** If it is full, looks whether there is room again. */
  lookForRoom(): Promise<void>;
}

export interface DiskWatchParts {
  /** The artifacts directory can be another one tomorrow. */
  readonly folders: Readonly<Record<DiskUse, () => string>>;
  readonly limits: Limits;
  readonly health: HealthMessages;
  readonly notices: DiskNotices;
  /** A database whose disk is another machine's: only its refusals show that it is full. */
  readonly shared?: DatabaseServerDisk | undefined;
  readonly probe?: (folder: string) => Promise<number | undefined>;
}

export const DISK_CHECK_MS = 5_000;
const USES: readonly DiskUse[] = ['artifacts', 'database'];
const RETRY_SECONDS = 60;
const ABOUT_SHARED = 'disk of the database server';

export class DiskWatch {
  readonly #parts: DiskWatchParts;
  readonly #levels: Record<DiskUse, Level> = { artifacts: 'fine', database: 'fine' };
  readonly #free: Record<DiskUse, number | undefined> = { artifacts: undefined, database: undefined };

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
  }

  /** To be called every few seconds; its result holds until the next call. */
  async check(): Promise<void> {
    for (const use of USES) await this.#check(use);
    await this.#checkShared();
    // Last: when there is no room to write to the outbox, the health messages must have been updated already.
    for (const use of USES) await this.#notify(use, this.#levels[use]);
  }

  isFull(use: DiskUse): boolean {
    return this.#levels[use] === 'full' || (use === 'database' && this.#isSharedFull);
  }

  /** Bytes, as of the last look; undefined when nothing is known. */
  free(use: DiskUse): number | undefined {
    return this.#free[use];
  }

  /** Refuses a write that needs room. */
  refuseWhenFull(uses: readonly DiskUse[] = ['database']): void {
    const use = uses.find((one) => this.isFull(one));
    if (!use) return;
    const message = this.#levels[use] === 'full' ? refusalOf(use, this.#parts.limits) : DATABASE_DISK_REFUSAL;
    throw new Refusal('insufficientStorage', message, { retryAfter: RETRY_SECONDS });
  }

  /** Refuses to start builds, in the words of GoCD: they need both disks. */
  refuseScheduling(): void {
    for (const use of USES) {
      if (!this.isFull(use)) continue;
      const { title, detail } = this.#levels[use] === 'full' ? messageOf(use, 'full', this.#parts.limits) : DATABASE_DISK_FULL;
      throw new Refusal('insufficientStorage', `${title} { ${detail} }`, { retryAfter: RETRY_SECONDS });
    }
  }

  /** Whether an artifact of this size may come in: twice its size, because it may be unpacked here. */
  hasRoomFor(bytes: number): boolean {
    return 2 * bytes <= this.roomForArtifacts();
  }

  /** Bytes that artifacts may take before their disk is full, as of the last look; endless when nothing is known. */
  roomForArtifacts(): number {
    const free = this.#free.artifacts;
    return free === undefined ? Number.POSITIVE_INFINITY : free - this.#parts.limits.fullMb * 1024 * 1024;
  }

  async #check(use: DiskUse): Promise<void> {
    const { folders, limits, probe = freeSpace } = this.#parts;
    const folder = folders[use]();
    try {
      this.#free[use] = await probe(folder);
      this.#levels[use] = levelOf(this.#free[use], limits);
      this.#reportHealth(use, this.#levels[use]);
    } catch (failure) {
      // One folder that cannot be looked at must not keep the other from being watched.
      this.#free[use] = undefined;
      this.#levels[use] = 'fine';
      const { title, detail } = unwatched(use, folder, failure);
      this.#parts.health.raise(aboutDisk(use), 'ERROR', title, detail);
    }
  }

  get #isSharedFull(): boolean {
    return this.#parts.shared?.isFull === true;
  }

  /** There is no mail about it: mails wait in that database until they are sent. */
  async #checkShared(): Promise<void> {
    const { health, shared } = this.#parts;
    await shared?.lookForRoom();
    if (this.#isSharedFull) health.raise(ABOUT_SHARED, 'ERROR', DATABASE_DISK_FULL.title, DATABASE_DISK_FULL.detail);
    else health.clear(ABOUT_SHARED);
  }

  #reportHealth(use: DiskUse, level: Level): void {
    const { health, limits } = this.#parts;
    const about = aboutDisk(use);
    if (level === 'fine') {
      health.clear(about);
      return;
    }
    const { title, detail } = messageOf(use, level, limits);
    health.raise(about, level === 'full' ? 'ERROR' : 'WARNING', title, detail);
  }

  /** A disk that is full has been low: the mail about that comes again only after there was room enough. */
  async #notify(use: DiskUse, level: Level): Promise<void> {
    const { notices, limits, folders } = this.#parts;
    const facts = { use, folder: folders[use](), ...limits };
    if (level === 'full') await notices.notify('full', facts);
    else await notices.resolve('full', use);
    if (level === 'low') await notices.notify('low', facts);
    else if (level === 'fine') await notices.resolve('low', use);
  }
}

function aboutDisk(use: DiskUse): string {
  return `disk of ${use}`;
}

// Counts the bytes and the time of each part of a backup.
import type { Phase, PhaseName, Step } from './record.ts';

/** The part of the work that begins with a step. */
export const PHASE_OF: Readonly<Partial<Record<Step, PhaseName>>> = {
  BACKUP_VERSION_FILE: 'config',
  BACKUP_CONFIG_REPO: 'history',
  BACKUP_DATABASE: 'database',
  POST_BACKUP_SCRIPT_START: 'script',
};

interface RunningPhase {
  readonly name: PhaseName;
  readonly began: number;
  readonly startedAt: string;
  bytes: number;
  total: number;
}

export class Phases {
  readonly #ended: Phase[] = [];
  #current: RunningPhase | undefined;

  start(name: PhaseName, total = 0): void {
    this.end();
    this.#current = { name, began: performance.now(), startedAt: new Date().toISOString(), bytes: 0, total };
  }

  add({ bytes = 0, total }: { readonly bytes?: number | undefined; readonly total?: number | undefined }): void {
    if (!this.#current) return;
    this.#current.bytes += bytes;
    this.#current.total = total ?? this.#current.total;
  }

  end(): void {
    if (this.#current) this.#ended.push(this.#asOfNow(this.#current));
    this.#current = undefined;
  }

  /** The current phase is the last one. */
  all(): readonly Phase[] {
    return this.#current ? [...this.#ended, this.#asOfNow(this.#current)] : [...this.#ended];
  }

  get current(): PhaseName | undefined {
    return this.#current?.name;
  }

  #asOfNow({ name, began, startedAt, bytes, total }: RunningPhase): Phase {
    const seconds = Math.round(performance.now() - began) / 1000;
    return { name, startedAt, seconds, bytes, totalBytes: Math.max(total, bytes) };
  }
}

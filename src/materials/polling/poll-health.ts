// The health messages about polls of materials.
import type { HealthReports } from '../../kit/health-reports.ts';
import type { Material } from '../catalogue/material.ts';
import { failedMessage, hungMessage } from '../catalogue/messages.ts';
import type { PollSchedule } from './poll-schedule.ts';
import { WaitingPolls } from './waiting.ts';

export interface PollHealthReports extends HealthReports {
  find(about: string): HealthNote | undefined;
}

export interface HealthNote {
  readonly level: 'WARNING' | 'ERROR';
  readonly message: string;
  readonly detail: string;
}

const MINUTE_MS = 60_000;
const HUNG_AFTER_MS = 15 * MINUTE_MS;

export class PollHealth {
  readonly #health: PollHealthReports;
  readonly #waiting = new WaitingPolls();

  constructor(health: PollHealthReports) {
    this.#health = health;
  }

  /** The current messages about it. */
  notesOn(material: Pick<Material, 'fingerprint'>): HealthNote[] {
    return [hungName(material), failedName(material)].flatMap((name) => this.#health.find(name) ?? []);
  }

  /** Also to be called when others use it than before. */
  reportFailure({ material, failure }: PollSchedule): void {
    if (failure !== undefined) this.#health.raise(failedName(material), 'ERROR', failedMessage(material), failure);
  }

  clearFailure(material: Material): void {
    this.#health.clear(failedName(material));
  }

  /** A poll of it has ended. */
  clearHung(material: Material): void {
    this.#health.clear(hungName(material));
  }

  reportHung(schedules: Iterable<PollSchedule>): void {
    for (const { material, silentMs } of schedules) {
      if (silentMs < HUNG_AFTER_MS) continue;
      const { message, detail } = hungMessage(material, Math.floor(silentMs / MINUTE_MS));
      this.#health.raise(hungName(material), 'WARNING', message, detail);
    }
  }

  /** To be called once a minute while polls may begin. */
  reportWaiting(schedules: Iterable<PollSchedule>): void {
    const wait = this.#waiting.check(schedules);
    if (wait) this.#health.raise(WAITING_NAME, 'WARNING', wait.message, wait.detail);
    else this.#health.clear(WAITING_NAME);
  }

  clearAll(schedules: Iterable<PollSchedule>): void {
    for (const { material } of schedules) {
      this.clearFailure(material);
      this.clearHung(material);
    }
    this.#health.clear(WAITING_NAME);
  }
}

const WAITING_NAME = 'waiting materials';
const failedName = ({ fingerprint }: Pick<Material, 'fingerprint'>) => `material ${fingerprint}`;
const hungName = ({ fingerprint }: Pick<Material, 'fingerprint'>) => `hung material ${fingerprint}`;

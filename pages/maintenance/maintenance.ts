// Maintenance mode as the API tells of it.
import type { AnswerOf, Facts } from '../api/answers.ts';

export const MAINTENANCE_ADDRESS = '/api/admin/maintenance_mode';
export const MAINTENANCE_VERSION = 1;

export type MaintenanceInfo = Facts<AnswerOf<'GET /api/admin/maintenance_mode/info'>>;
/** Only while it is on. */
export type Period = NonNullable<MaintenanceInfo['attributes']>;
export type RunningSystems = Period['running_systems'];
export type RunningJob = RunningSystems['building_jobs'][number];
export type MaterialUpdate = RunningSystems['material_update_in_progress'][number];

/** What the user types; all of it can be left out. */
export interface Order {
  readonly reason: string;
  readonly minutes: string;
  readonly survivesRestart: boolean;
}

/** As the API takes it. What is no number is sent as it is: the server says what is wrong with it. */
export function bodyOf({ reason, minutes, survivesRestart }: Order): object {
  const number = Number(minutes);
  return {
    ...(reason.trim() !== '' && { reason }),
    ...(minutes.trim() !== '' && { minutes: Number.isNaN(number) ? minutes : number }),
    survive_restart: survivesRestart,
  };
}

export function placeOf({ type, attributes: { name, url, view, ref } }: MaterialUpdate): string {
  return `${type} ${name ?? url ?? view ?? ref ?? ''}`.trim();
}

// Maintenance mode as the API reports it.
import type { AnswerOf, WithoutLinks } from '../api/answers.ts';

export const MAINTENANCE_ADDRESS = '/api/admin/maintenance_mode';
export const MAINTENANCE_VERSION = 1;

export type MaintenanceInfo = WithoutLinks<AnswerOf<'GET /api/admin/maintenance_mode/info'>>;
/** Only while it is on. */
export type Period = NonNullable<MaintenanceInfo['attributes']>;
export type RunningSystems = Period['running_systems'];
export type RunningJob = RunningSystems['building_jobs'][number];
export type MaterialUpdate = RunningSystems['material_update_in_progress'][number];

/** The fields that the user fills in; all are optional. */
export interface MaintenanceRequest {
  readonly reason: string;
  readonly minutes: string;
  readonly survivesRestart: boolean;
}

/** The body of the request. Minutes that are no number are sent as typed: the server answers with the reason. */
export function bodyOf({ reason, minutes, survivesRestart }: MaintenanceRequest): object {
  const number = Number(minutes);
  return {
    ...(reason.trim() !== '' && { reason }),
    ...(minutes.trim() !== '' && { minutes: Number.isNaN(number) ? minutes : number }),
    survive_restart: survivesRestart,
  };
}

export function materialTitle({ type, attributes: { name, url, view, ref } }: MaterialUpdate): string {
  return `${type} ${name ?? url ?? view ?? ref ?? ''}`.trim();
}

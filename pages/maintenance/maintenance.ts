// Maintenance mode as the API tells of it.

export const MAINTENANCE_ADDRESS = '/api/admin/maintenance_mode';
export const MAINTENANCE_VERSION = 1;

export interface RunningJob {
  readonly pipeline_name: string;
  readonly pipeline_counter: number;
  readonly stage_name: string;
  readonly stage_counter: string;
  readonly name: string;
  readonly state: string;
  readonly scheduled_date: string;
}

export interface MaterialUpdate {
  readonly type: string;
  readonly attributes: { readonly name?: string | null; readonly url?: string; readonly view?: string; readonly ref?: string };
  readonly mdu_start_time: string;
}

export interface RunningSystems {
  readonly material_update_in_progress: readonly MaterialUpdate[];
  readonly building_jobs: readonly RunningJob[];
  readonly scheduled_jobs: readonly RunningJob[];
  readonly other_work: readonly { readonly name: string; readonly start_time: string }[];
}

export interface Period {
  readonly has_running_systems: boolean;
  readonly running_systems: RunningSystems;
  readonly reason: string | null;
  readonly until: string | null;
  readonly survive_restart: boolean;
}

export interface MaintenanceInfo {
  readonly is_maintenance_mode: boolean;
  readonly metadata: { readonly updated_by: string | null; readonly updated_on: string | null };
  /** Only while it is on. */
  readonly attributes?: Period;
}

/** What somebody types; all of it can be left out. */
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

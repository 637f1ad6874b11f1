// The state of polls of a material as it is restored from the database when the server starts.
import type { StoredMaterial } from '../../store/materials/materials.ts';
import { NO_FAILURES } from './next-poll-time.ts';
import type { InitialPollState } from './poll-schedule.ts';

export interface RestoredPollState extends Omit<InitialPollState, 'isRequested'> {
  /** The data that its client asked to be kept. */
  readonly data: string | undefined;
}

export const NEVER_POLLED: RestoredPollState = {
  failures: NO_FAILURES,
  failure: undefined,
  hasSucceeded: false,
  polledAt: undefined,
  data: undefined,
};

export function restoredStateOf({
  failures,
  polledAt,
  failedAt,
  failedBeforeAt,
  failure,
  lastRevision,
  data,
}: StoredMaterial): RestoredPollState {
  if (failures === 0) return { ...NEVER_POLLED, hasSucceeded: lastRevision !== undefined, polledAt: polledAt?.getTime(), data };
  return {
    polledAt: failedAt?.getTime(),
    failures: { failedAt: failedAt?.getTime(), failedBeforeAt: failedBeforeAt?.getTime() },
    failure,
    hasSucceeded: false,
    data,
  };
}

// The state of a material from before the server was started.
import type { StoredMaterial } from '../../store/materials/materials.ts';
import { NO_FAILURES } from './next-poll-time.ts';
import type { KnownBefore } from './poll-schedule.ts';

export interface KnownFromBefore extends Omit<KnownBefore, 'isRequested'> {
  /** The data that its client asked to be kept. */
  readonly data: string | undefined;
}

export const NOTHING_BEFORE: KnownFromBefore = {
  failures: NO_FAILURES,
  failure: undefined,
  hasSucceeded: false,
  polledAt: undefined,
  data: undefined,
};

export function beforeOf({ failures, polledAt, failedAt, failedBeforeAt, failure, lastRevision, data }: StoredMaterial): KnownFromBefore {
  if (failures === 0) return { ...NOTHING_BEFORE, hasSucceeded: lastRevision !== undefined, polledAt: polledAt?.getTime(), data };
  return {
    polledAt: failedAt?.getTime(),
    failures: { failedAt: failedAt?.getTime(), failedBeforeAt: failedBeforeAt?.getTime() },
    failure,
    hasSucceeded: false,
    data,
  };
}

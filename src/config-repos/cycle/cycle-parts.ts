// The parts of the server that the update cycles of config repos need.
import type { Changes } from '../../config/change.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { HealthReports } from '../../kit/health-reports.ts';
import type { FinishedPoll } from '../../materials/polling/poll-run.ts';
import type { PollRequestResult } from '../../materials/polling/poll-schedule.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import type { WorkParts } from './work.ts';

export interface CycleParts extends Omit<WorkParts, 'jointPublishing'> {
  readonly changes: Pick<Changes, 'setJoinable' | 'listen'>;
  readonly runner: Pick<PeriodicRunner, 'add'>;
  /** The kind of its jobs, by which the runner bounds how many run at a time. */
  readonly kind: string;
  readonly materials: RepoMaterials;
  readonly health: HealthReports;
  /** Whether no work is begun now. */
  isPaused(): boolean;
}

type MaterialsToRead = WorkParts['materials'];

export interface RepoMaterials extends MaterialsToRead {
  all(): Promise<readonly StoredMaterial[]>;
  /** Asks for a poll of it. */
  requestPoll(fingerprint: string): Promise<PollRequestResult>;
  isUnderWay(fingerprint: string, waiting: 'counted' | 'not counted'): boolean;
  listen(listener: (poll: FinishedPoll) => void): void;
}

// The parts that the routes of runs, stages and jobs work with.
import type { Access } from '../../../access/may.ts';
import type { BuildConfig } from '../../../builds/configured.ts';
import type { BuildEngine } from '../../../builds/engine.ts';
import type { ActiveJob } from '../../../builds/jobs/active-builds.ts';
import type { AssignableAgent } from '../../../builds/jobs/assign.ts';
import type { Pauses } from '../../../builds/pauses.ts';
import type { BuildTables } from '../../../builds/runs/build-tables.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import type { Materials } from '../../../store/materials/materials.ts';
import type { Modifications } from '../../../store/materials/modifications.ts';

export interface BuildRouteParts {
  readonly access: Pick<Access, 'may' | 'mayView' | 'mayOperate' | 'passes'>;
  readonly config: BuildConfig;
  /** Only of use on the server that runs builds. */
  readonly engine: Pick<BuildEngine, 'state' | 'queue' | 'stages' | 'triggers' | 'requests' | 'wake' | 'mustBeStarted'>;
  /** To read from, on every server. */
  readonly tables: BuildTables;
  readonly materials: Pick<Materials, 'find'>;
  readonly modifications: Pick<Modifications, 'newest' | 'find' | 'revisionsFrom' | 'byIds' | 'after' | 'beside' | 'filesOf'>;
  readonly pauses: Pick<Pauses, 'find' | 'pause' | 'unpause'>;
  readonly cipher: Cipher;
  agents(): readonly (AssignableAgent & { readonly hostname?: string })[];
  /** Whether an agent had contact lately. */
  hasContact(uuid: string): boolean;
  /** The steps of the server to get an elastic agent for a job that waits, in words; undefined: none. */
  elasticStateOf(job: ActiveJob): string | undefined;
  isInMaintenance(): boolean;
  isDiskFull(): boolean;
  /** Polls materials; gives the failures. Rejects when the signal says so. */
  poll(fingerprints: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Why the last poll of a material failed; only known on the server that polls. */
  pollFailureOf(fingerprint: string): string | undefined;
  /** The time zone that timers count in. */
  timeZone(): string;
  now(): number;
}

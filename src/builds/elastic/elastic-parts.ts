// The parts of the server that agents on demand depend on.
import type { ElasticAgentPlugin } from '../../contracts/plugins/elastic-agent.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { NetworkPolicy } from '../../contracts/plugins/poll-tools.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import type { BuildState } from '../build-state.ts';
import type { ActiveJob } from '../jobs/active-builds.ts';
import type { JobQueue } from '../jobs/job-queue.ts';

/** A cluster profile of a plugin that starts agents. */
export interface Cluster {
  readonly id: string;
  readonly plugin: ElasticAgentPlugin;
  /** In clear; rejects in words without secrets where one cannot be had. */
  settings(): Promise<SettingValues>;
}

export interface ElasticParts {
  /** Whether memory agrees with the tables. Otherwise all jobs could seem to be over. */
  isReady(): boolean;
  readonly state: Pick<BuildState, 'active' | 'now' | 'writer'>;
  readonly queue: Pick<JobQueue, 'assignable' | 'isCancelling' | 'lost'>;
  readonly registry: Pick<AgentRegistry, 'all' | 'remove' | 'issueOneTimeKey' | 'restoreOneTimeKey'>;
  /** When an agent had contact last; undefined: not since this server runs builds. */
  lastContactAt(uuid: string): number | undefined;
  clusters(): readonly Cluster[];
  /** The cluster profile of an elastic profile; undefined: its plugin starts no agents, or there is no such profile. */
  clusterOf(profile: string): string | undefined;
  /** In clear. */
  profileSettings(profile: string): SettingValues;
  readonly networkPolicy: NetworkPolicy;
  serverId(): string;
  siteUrl(): string;
  /** Nothing new may start. */
  isHeld(): boolean;
  /** A line of the server itself in the console of a job. */
  note(job: ActiveJob, line: string): Promise<void>;
  /** There is something else to say of jobs that wait. */
  onWaitingChanged(): void;
  onFailure(failure: unknown, message: string): void;
}

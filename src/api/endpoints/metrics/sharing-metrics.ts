// The metrics of a server about sharing its database.
import { counter, gauge, type Metric } from './metric.ts';

export interface SharingStatistics {
  /** The number of writes that are known to be made, and are not in memory here yet. */
  readonly lag: number;
  readonly orderWaits: number;
  readonly orderWaitSeconds: number;
  readonly isKeeper: boolean;
  /** How often it has begun or ended to do the background work. */
  readonly keeperChanges: number;
}

export function sharingMetrics(now: () => SharingStatistics): Metric[] {
  return [
    gauge('slipway_replica_lag_commits', 'Writes of other servers that are not in memory here yet.', () => now().lag),
    gauge('slipway_keeper', '1: this server does the background work.', () => Number(now().isKeeper)),
    counter('slipway_keeper_changes_total', 'How often it has begun or ended to do that.', () => now().keeperChanges),
    counter('slipway_order_waits_total', 'How often a write has got its place in the order of all servers.', () => now().orderWaits),
    counter('slipway_order_wait_seconds_total', 'Time spent waiting for that.', () => now().orderWaitSeconds),
  ];
}

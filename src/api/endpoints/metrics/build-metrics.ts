// The metrics of builds, on the server that runs them.
import type { HistogramSnapshot } from '../../../kit/telemetry/histogram.ts';
import type { ShownHistogram } from './histogram-text.ts';
import { gauge, type Metric } from './metric.ts';

export interface BuildStatistics {
  readonly waiting: number;
  readonly running: number;
  /** Of all that have got an agent from this server. */
  readonly waits: HistogramSnapshot;
  readonly agents: readonly { readonly configState: string; readonly state: string; readonly count: number }[];
}

/** A server that does not run builds has none, so that the sum over all servers is right. */
export function buildMetrics(statistics: () => BuildStatistics | undefined): Metric[] {
  return [
    gauge('slipway_jobs_waiting', 'Jobs that wait for an agent.', () => statistics()?.waiting),
    gauge('slipway_jobs_running', 'Jobs that agents have, and have not ended.', () => statistics()?.running),
    {
      name: 'slipway_agents',
      help: 'Agents, by what administrators let them do and by what they do.',
      kind: 'gauge',
      labels: ['config_state', 'state'],
      values: () =>
        (statistics()?.agents ?? []).map(({ configState, state, count }) => ({
          labels: { config_state: configState, state },
          value: count,
        })),
    },
  ];
}

export function jobWaits(statistics: () => BuildStatistics | undefined): ShownHistogram {
  return {
    name: 'slipway_job_wait_seconds',
    help: 'How long jobs have waited for an agent.',
    labels: [],
    series: () => {
      const now = statistics();
      return now ? [{ values: [], snapshot: now.waits }] : [];
    },
  };
}

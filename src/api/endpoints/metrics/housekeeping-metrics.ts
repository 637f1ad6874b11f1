// The metrics of a server about its own housekeeping: disks, backups, health, traces.
import { gauge, type Metric } from './metric.ts';

export interface HousekeepingStatistics {
  /** Bytes; undefined: nothing is known. */
  freeBytes(use: 'artifacts' | 'database'): number | undefined;
  /** Milliseconds: when the last backup that succeeded ended; undefined: there is none. */
  lastBackupAt(): Promise<number | undefined>;
  healthMessages(): readonly { readonly level: string }[];
  isInMaintenance(): boolean;
  spans(): SpanCounts;
}

/** Spans of traces since the start; all are 0 where no traces are sent. */
export interface SpanCounts {
  readonly sent: number;
  readonly dropped: number;
}

const LEVELS = ['WARNING', 'ERROR'];
const USES = ['artifacts', 'database'] as const;
const MS = 1000;

export function housekeepingMetrics(of: HousekeepingStatistics): Metric[] {
  return [
    {
      name: 'slipway_disk_free_bytes',
      help: 'Bytes that the server may still write, by what they are for.',
      kind: 'gauge',
      labels: ['use'],
      values: () =>
        USES.flatMap((use) => {
          const value = of.freeBytes(use);
          return value === undefined ? [] : [{ labels: { use }, value }];
        }),
    },
    {
      name: 'slipway_backup_last_success_timestamp_seconds',
      help: 'When the last backup that succeeded ended; 0: there is none.',
      kind: 'gauge',
      values: async () => [{ value: ((await of.lastBackupAt()) ?? 0) / MS }],
    },
    {
      name: 'slipway_health_messages',
      help: 'Messages that need the attention of an administrator.',
      kind: 'gauge',
      labels: ['level'],
      values: () => {
        const all = of.healthMessages();
        return LEVELS.map((level) => ({ labels: { level }, value: all.filter((message) => message.level === level).length }));
      },
    },
    gauge('slipway_maintenance_mode', '1: the server is in maintenance mode.', () => Number(of.isInMaintenance())),
    {
      name: 'slipway_trace_spans_total',
      help: 'Spans of traces, by whether they were sent or dropped.',
      kind: 'counter',
      labels: ['result'],
      values: () => Object.entries(of.spans()).map(([result, value]) => ({ labels: { result }, value })),
    },
  ];
}

// The metrics of the server, each looked up when metrics are requested.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../../../config/current.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { RequestCounts } from '../../http/telemetry/request-counts.ts';
import { type BuildStatistics, buildMetrics, jobWaits } from './build-metrics.ts';
import { histogramText, type ShownHistogram } from './histogram-text.ts';
import { type HousekeepingStatistics, housekeepingMetrics } from './housekeeping-metrics.ts';
import { gauge, type Metric, type MetricValue } from './metric.ts';
import { type SharingStatistics, sharingMetrics } from './sharing-metrics.ts';

export interface Metrics {
  show(): Promise<{ readonly text: string; readonly type: string }>;
}

/** The size of all artifacts together. */
export interface ArtifactStatistics {
  total(): Promise<{ readonly files: number; readonly bytes: number }>;
}

export interface MetricSources {
  /** Undefined: the server has its database for itself. */
  readonly sharing: { statistics(): SharingStatistics } | undefined;
  /** Undefined: another server runs them. */
  builds(): BuildStatistics | undefined;
  readonly artifacts: ArtifactStatistics;
  /** How many there are, by state. */
  accessTokens(): ReadonlyMap<string, number>;
  readonly housekeeping: HousekeepingStatistics;
  /** Durations of background work of the server. */
  readonly durations: readonly ShownHistogram[];
}

/** The metrics of the process itself count from now on. */
export function metricsOf(counts: RequestCounts, config: Config, of: MetricSources): Metrics {
  const { sharing, builds } = of;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = [
    ...requestMetrics(counts),
    ...configMetrics(config),
    ...buildMetrics(builds),
    ...artifactMetrics(of.artifacts),
    tokenMetric(() => of.accessTokens()),
    ...housekeepingMetrics(of.housekeeping),
    ...(sharing ? sharingMetrics(() => sharing.statistics()) : []),
  ];
  for (const metric of metrics) add(registry, metric);
  const histograms = [requestDurations(counts), jobWaits(builds), ...of.durations];
  return {
    show: async () => ({ text: (await registry.metrics()) + histograms.map(histogramText).join(''), type: registry.contentType }),
  };
}

function add(registry: Registry, { name, help, kind, labels = [], values }: Metric): void {
  const options = { name, help, labelNames: labels, registers: [registry] };
  // One that has nothing to report has no value: 0 would be one.
  if (kind === 'gauge')
    new Gauge({
      ...options,
      async collect() {
        const found = await available(values);
        this.reset();
        if (found.length === 0 && labels.length === 0) this.remove();
        for (const { labels: of = {}, value } of found) this.set(of, value);
      },
    });
  else
    new Counter({
      ...options,
      async collect() {
        const found = await available(values);
        this.reset();
        for (const { labels: of = {}, value } of found) this.inc(of, value);
      },
    });
}

/** No values while the database that has them does not answer: the metrics of the server itself are needed most then. */
async function available(values: Metric['values']): Promise<readonly MetricValue[]> {
  try {
    return await values();
  } catch (failure) {
    if (failure instanceof Refusal && failure.kind === 'unavailable') return [];
    throw failure;
  }
}

function requestMetrics(counts: RequestCounts): Metric[] {
  const total = (name: string, help: string, member: 'requests' | 'seconds'): Metric => ({
    name,
    help,
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    values: () =>
      Array.from(counts.all(), (count) => ({
        labels: { method: count.method, route: count.path, status: count.status },
        value: count[member],
      })),
  });
  return [
    total('slipway_http_requests_total', 'Requests answered.', 'requests'),
    total('slipway_http_request_seconds_total', 'Time spent answering requests.', 'seconds'),
  ];
}

function requestDurations(counts: RequestCounts): ShownHistogram {
  return {
    name: 'slipway_http_request_duration_seconds',
    help: 'How long requests took.',
    labels: ['method', 'route'],
    series: () => Array.from(counts.durations(), ({ method, path, durations }) => ({ values: [method, path], snapshot: durations })),
  };
}

function configMetrics(config: Config): Metric[] {
  return [
    gauge('slipway_config_revision', 'The revision of the configuration.', () => config.revision),
    {
      name: 'slipway_config_entities',
      help: 'Entities in the configuration.',
      kind: 'gauge',
      labels: ['kind'],
      values: () => Array.from(config.kinds.values(), ({ name: kind }) => ({ labels: { kind }, value: config.of(kind).size })),
    },
  ];
}

function artifactMetrics(artifacts: ArtifactStatistics): Metric[] {
  const metric = (member: 'files' | 'bytes', help: string): Metric => ({
    name: `slipway_artifact_${member}`,
    help,
    kind: 'gauge',
    values: async () => [{ value: (await artifacts.total())[member] }],
  });
  return [metric('files', 'Files that are artifacts.'), metric('bytes', 'Bytes that artifacts have.')];
}

function tokenMetric(counts: () => ReadonlyMap<string, number>): Metric {
  return {
    name: 'slipway_access_tokens',
    help: 'Access tokens, by what becomes of them.',
    kind: 'gauge',
    labels: ['state'],
    values: () => Array.from(counts(), ([state, value]) => ({ labels: { state }, value })),
  };
}

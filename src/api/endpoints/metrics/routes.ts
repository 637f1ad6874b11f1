// Metrics of the server in the form Prometheus reads.
import type { Config } from '../../../config/current.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import type { Route } from '../../engine/route.ts';
import type { RequestCounts } from '../../http/telemetry/request-counts.ts';
import type { MetricSources, Metrics } from './all-metrics.ts';

const EXAMPLE = [
  '# HELP slipway_config_revision The revision of the configuration.',
  '# TYPE slipway_config_revision gauge',
  'slipway_config_revision 42',
  '',
].join('\n');

/** Loaded by the first request: a server without monitoring does without the library and its constant measuring. */
export function lazyMetrics(counts: RequestCounts, config: Config, of: MetricSources): () => Promise<Metrics> {
  let metrics: Promise<Metrics> | undefined;
  return () => (metrics ??= import('./all-metrics.ts').then(({ metricsOf }) => metricsOf(counts, config, of)));
}

export function metricsRoute(metrics: () => Promise<Metrics>, isOpen: boolean): Route {
  return {
    method: 'GET',
    path: '/metrics',
    version: null,
    permission: isOpen ? 'anyone' : 'admin',
    description: {
      chapter: 'metrics',
      summary: 'Figures about the server in the form Prometheus reads',
      details: 'While a shared database is away, those that need it are left out.',
      response: TEXT,
      example: EXAMPLE,
      type: 'text/plain',
    },
    handle: async () => {
      const { text, type } = await (await metrics()).show();
      return { status: 200, text, bytes: Buffer.byteLength(text), type };
    },
  };
}

// Figures about the server in the form Prometheus reads.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../../config/current.ts';
import { TEXT } from '../../shape/schemas.ts';
import type { RequestCounts } from '../request-counts.ts';
import type { Route } from '../route.ts';

const EXAMPLE = [
  '# HELP slipway_config_revision The revision of the configuration.',
  '# TYPE slipway_config_revision gauge',
  'slipway_config_revision 42',
  '',
].join('\n');

export function metricsRoute(counts: RequestCounts, config: Config, isOpen: boolean): Route {
  const registry = metricsOf(counts, config);
  return {
    method: 'GET',
    path: '/metrics',
    version: null,
    permission: isOpen ? 'anyone' : 'admin',
    description: {
      chapter: 'metrics',
      summary: 'Figures about the server in the form Prometheus reads',
      response: TEXT,
      example: EXAMPLE,
      type: 'text/plain',
    },
    handle: async () => {
      const text = await registry.metrics();
      return { status: 200, text, bytes: Buffer.byteLength(text), type: registry.contentType };
    },
  };
}

function metricsOf(counts: RequestCounts, config: Config): Registry {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  collectDefaultMetrics({ register: registry });
  const total = (name: string, help: string, figure: 'requests' | 'seconds') =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const count of counts.all()) this.inc({ method: count.method, route: count.path, status: count.status }, count[figure]);
      },
    });
  total('slipway_http_requests_total', 'Requests answered.', 'requests');
  total('slipway_http_request_seconds_total', 'Time spent answering requests.', 'seconds');
  new Gauge({
    name: 'slipway_config_revision',
    help: 'The revision of the configuration.',
    registers,
    collect() {
      this.set(config.revision);
    },
  });
  new Gauge({
    name: 'slipway_config_entities',
    help: 'Entities in the configuration.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const kind of config.kinds.keys()) this.set({ kind }, config.of(kind).size);
    },
  });
  return registry;
}

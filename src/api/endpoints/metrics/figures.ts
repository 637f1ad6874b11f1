// The figures about the server, each looked up when somebody asks.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../../../config/current.ts';
import type { RequestCounts } from '../../http/request-counts.ts';

export interface Figures {
  show(): Promise<{ readonly text: string; readonly type: string }>;
}

/** Those of the process itself count from now on. */
export function figuresOf(counts: RequestCounts, config: Config): Figures {
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
      for (const kind of config.kinds.keys()) this.set({ kind }, config.entriesOf(kind).size);
    },
  });
  return { show: async () => ({ text: await registry.metrics(), type: registry.contentType }) };
}

// The figures about the server, each looked up when somebody asks.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../../../config/current.ts';
import type { RequestCounts } from '../../http/request-counts.ts';
import type { BuildFigures } from './build-figures.ts';
import type { SharingFigures } from './sharing-figures.ts';
import { waitsText } from './waits-text.ts';

export interface Figures {
  show(): Promise<{ readonly text: string; readonly type: string }>;
}

/** What all artifacts together take. */
export interface ArtifactFigures {
  total(): Promise<{ readonly files: number; readonly bytes: number }>;
}

export interface FiguresOf {
  /** Undefined: the server has its database for itself. */
  readonly sharing: { figures(): SharingFigures } | undefined;
  /** Undefined: another server runs them. */
  builds(): BuildFigures | undefined;
  readonly artifacts: ArtifactFigures;
}

/** Those of the process itself count from now on. */
export function figuresOf(counts: RequestCounts, config: Config, { sharing, builds, artifacts }: FiguresOf): Figures {
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
  addBuilds(registry, builds);
  addArtifacts(registry, artifacts);
  if (sharing) addSharing(registry, () => sharing.figures());
  return { show: async () => ({ text: (await registry.metrics()) + waitsText(builds()), type: registry.contentType }) };
}

function addArtifacts(registry: Registry, artifacts: ArtifactFigures): void {
  const gauge = (figure: 'files' | 'bytes', help: string) =>
    new Gauge({
      name: `slipway_artifact_${figure}`,
      help,
      registers: [registry],
      async collect() {
        this.set((await artifacts.total())[figure]);
      },
    });
  gauge('files', 'Files that are artifacts.');
  gauge('bytes', 'Bytes that artifacts have.');
}

function addSharing(registry: Registry, figures: () => SharingFigures): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (now: SharingFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(figures()));
      },
    });
  const total = (name: string, help: string, value: (now: SharingFigures) => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value(figures()));
      },
    });
  gauge('slipway_replica_lag_commits', 'Writes of other servers that are not in memory here yet.', ({ lag }) => lag);
  gauge('slipway_keeper', '1: this server does the background work.', ({ isKeeper }) => Number(isKeeper));
  total('slipway_keeper_changes_total', 'How often it has begun or ended to do that.', ({ keeperChanges }) => keeperChanges);
  total('slipway_order_waits_total', 'How often a write has got its place in the order of all servers.', ({ orderWaits }) => orderWaits);
  total('slipway_order_wait_seconds_total', 'Time spent waiting for that.', ({ orderWaitSeconds }) => orderWaitSeconds);
}

/** A server that does not run builds has none, so that the sum over all servers is right. */
function addBuilds(registry: Registry, figures: () => BuildFigures | undefined): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (now: BuildFigures) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const now = figures();
        if (now) this.set(value(now));
        else this.remove();
      },
    });
  gauge('slipway_jobs_waiting', 'Jobs that wait for an agent.', ({ waiting }) => waiting);
  gauge('slipway_jobs_running', 'Jobs that agents have, and have not ended.', ({ running }) => running);
  new Gauge({
    name: 'slipway_agents',
    help: 'Agents, by what administrators let them do and by what they do.',
    labelNames: ['config_state', 'state'] as const,
    registers,
    collect() {
      this.reset();
      for (const { configState, state, count } of figures()?.agents ?? []) this.set({ config_state: configState, state }, count);
    },
  });
}

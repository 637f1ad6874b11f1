// The metrics of a server are those of docs/operate/metrics.md, and alert rules and dashboard use no others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { metricsOf } from '../../src/api/endpoints/metrics/all-metrics.ts';
import type { SharingStatistics } from '../../src/api/endpoints/metrics/sharing-metrics.ts';
import { RequestCounts } from '../../src/api/http/telemetry/request-counts.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import type { BaseParts, OpenParts } from '../../src/server/open/all-parts.ts';
import { metricSources } from '../../src/server/telemetry/metric-sources.ts';
import { DATABASE_UNAVAILABLE } from '../../src/store/unavailable.ts';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

interface Shown {
  readonly kind: string;
  readonly labels: readonly string[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/operate/metrics.md');
/** Metrics that the library finds on Linux alone. */
const ONLY_LINUX = /^process_(?:virtual_memory_bytes|heap_bytes|open_fds|max_fds)$/;
/** Metrics that Prometheus makes by itself. */
const OF_PROMETHEUS = new Set(['up']);
const CONFIRMED = { headers: { 'X-Svc-Confirm': 'true' } };
const SHARED: SharingStatistics = { lag: 0, orderWaits: 0, orderWaitSeconds: 0, isKeeper: true, keeperChanges: 1 };

let server: TestServer;
let parts: BaseParts & OpenParts;
before(async () => {
  const routes = (all: BaseParts & OpenParts) => {
    parts = all;
    return [];
  };
  server = await TestServer.start({}, { routes });
});
after(() => server.stop());

const text = async () => accepted(await server.get('/metrics', { accept: null })).text;

/** The metrics that a server shows, with those of servers that share a database. */
async function shown(): Promise<Map<string, Shown>> {
  const sources = { ...metricSources(parts), sharing: { statistics: () => SHARED } };
  const shared = await metricsOf(new RequestCounts(), parts.configuration.config, sources).show();
  return new Map([...metricsIn(shared.text), ...metricsIn(await text())]);
}

function metricsIn(all: string): Map<string, Shown> {
  const found = new Map<string, Shown>();
  for (const [, name, kind] of all.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const line = all.match(new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\}`, 'm'))?.[1] ?? '';
    const labels = [...line.matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le');
    found.set(name!, { kind: kind!, labels });
  }
  return found;
}

function documented(): Map<string, Shown> {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*)\|/gm)];
  return new Map(
    rows.map(([, name, kind, labels]) => [
      name!,
      { kind: kind!, labels: [...labels!.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
    ]),
  );
}

/** The names of metrics in an expression; those of a histogram without their endings. */
function usedIn(expression: string, known: ReadonlyMap<string, Shown>): string[] {
  const bare = expression.replace(/\{[^}]*\}|\b(?:by|without) \([^)]*\)|\[[^\]]*\]|"[^"]*"/g, ' ');
  const words = [...bare.matchAll(/\b[a-z]\w*_\w+\b|\bup\b/g)]
    .map(([word]) => word)
    .filter((word) => !/^(?:histogram_quantile|label_values)$/.test(word));
  return words.map((word) => {
    const stem = word.replace(/_(?:bucket|sum|count)$/, '');
    return known.get(stem)?.kind === 'histogram' ? stem : word;
  });
}

test('every metric is documented with its kind and its labels, and no others are', async () => {
  accepted(await server.get('/api/version'));
  const [found, written] = [await shown(), documented()];
  const here = [...written.keys()].filter((name) => process.platform === 'linux' || !ONLY_LINUX.test(name));
  assert.deepEqual(here.toSorted(), [...found.keys()].toSorted());
  for (const [name, { kind, labels }] of found) {
    assert.equal(written.get(name)!.kind, kind, name);
    if (labels.length > 0) assert.deepEqual(written.get(name)!.labels, labels, name);
  }
});

test('requests, commits and disks are counted', async () => {
  accepted(await server.post('/api/admin/environments', { name: 'counted' }));
  await until('the disk was looked at', async () => /^slipway_disk_free_bytes\{use="database"\} [1-9]/m.test(await text()));
  const all = await text();
  const value = (name: string) =>
    Number(
      all
        .split('\n')
        .find((line) => line.startsWith(`${name} `))!
        .split(' ')[1],
    );
  const route = '{method="POST",route="/api/admin/environments"';
  assert.equal(value(`slipway_http_request_duration_seconds_count${route}}`), 1);
  assert.equal(value(`slipway_http_request_duration_seconds_bucket${route},le="+Inf"}`), 1);
  assert.ok(value('slipway_database_commit_seconds_count') >= 1);
  assert.equal(value('slipway_backup_last_success_timestamp_seconds'), 0);
});

test('health messages, maintenance mode and backups are reported', async () => {
  parts.configuration.health.raise('a test', 'ERROR', 'wrong', 'very');
  assert.equal((await server.post('/api/admin/maintenance_mode/enable', {})).status, 204);
  assert.equal((await server.post('/api/backups', undefined, CONFIRMED)).status, 202);
  const all = await until('the backup has ended', async () => {
    const now = await text();
    return /^slipway_backup_last_success_timestamp_seconds [1-9]\d{9}/m.test(now) && now;
  });
  assert.match(all, /^slipway_health_messages\{level="ERROR"\} 1$/m);
  assert.match(all, /^slipway_maintenance_mode 1$/m);
  parts.configuration.health.clear('a test');
  assert.equal((await server.post('/api/admin/maintenance_mode/disable', undefined, CONFIRMED)).status, 204);
});

test('while the database is away, the metrics that it has are left out', async () => {
  const away = async () => {
    throw new Refusal('unavailable', DATABASE_UNAVAILABLE);
  };
  const sources = metricSources(parts);
  const without = { ...sources, artifacts: { total: away }, housekeeping: { ...sources.housekeeping, lastBackupAt: away } };
  const { text: all } = await metricsOf(new RequestCounts(), parts.configuration.config, without).show();
  assert.match(all, /^slipway_maintenance_mode 0$/m);
  assert.doesNotMatch(all, /^slipway_(?:artifact_\w+|backup_last_success_timestamp_seconds) /m);
  const broken = { ...without, artifacts: { total: () => Promise.reject(new Error('a bug')) } };
  await assert.rejects(metricsOf(new RequestCounts(), parts.configuration.config, broken).show(), /a bug/);
});

test('alert rules use metrics that exist, and lead to a place in the documentation', async () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const known = await shown();
  const headings = new Set(
    [...PAGE.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, expr, labels, annotations } of rules) {
    const used = usedIn(expr, known);
    assert.ok(used.length > 0, alert);
    for (const name of used) assert.ok(known.has(name) || OF_PROMETHEUS.has(name), `${alert} uses ${name}`);
    assert.match(labels.severity, /^(?:info|warning|critical)$/, alert);
    assert.match(annotations.summary, /\.$/, alert);
    const [page, heading] = annotations.runbook_url.split('#');
    assert.equal(page, 'docs/operate/metrics.md');
    assert.ok(headings.has(heading!), annotations.runbook_url);
  }
});

test('the dashboard uses metrics that exist', async () => {
  const { panels } = JSON.parse(read('deploy/grafana/slipway.json')) as { readonly panels: readonly Panel[] };
  const known = await shown();
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, type, targets = [] } of panels) {
    assert.equal(targets.length > 0, type !== 'row', title);
    for (const name of targets.flatMap(({ expr }) => usedIn(expr, known)))
      assert.ok(known.has(name) || OF_PROMETHEUS.has(name), `${title} uses ${name}`);
  }
});

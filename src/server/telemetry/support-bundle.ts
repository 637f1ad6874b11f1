// The support bundle of a server that runs.
import type { Metrics } from '../../api/endpoints/metrics/all-metrics.ts';
import { bundleOf } from '../../support-bundle/bundle.ts';
import { databaseFiles, versionsFile } from '../../support-bundle/from-database.ts';
import type { BaseParts, OpenParts } from '../open/all-parts.ts';
import type { Settings } from '../settings.ts';
import { sourceOf } from '../sharing/database.ts';
import { replicasOf } from '../sharing/only-replica.ts';
import { fullVersion } from '../version.ts';

export async function supportBundle(parts: BaseParts & OpenParts, metrics: () => Promise<Metrics>, now: Date): Promise<Buffer> {
  const { settings, version, sharing, runner, configuration, maintenance, recentLines } = parts;
  const replicas = await replicasOf(sharing, version, '');
  const { text } = await (await metrics()).show();
  const running = runner.running().map(({ kind, startedAt }) => ({ kind, started_at: new Date(startedAt).toISOString() }));
  return bundleOf(
    [
      versionsFile(fullVersion(version)),
      { name: 'settings.json', content: shownSettings(settings) },
      { name: 'health.json', content: configuration.health.all() },
      { name: 'metrics.txt', content: text },
      { name: 'process.json', content: { ...processFacts(now), maintenance: maintenance.isOn, running } },
      {
        name: 'replicas.json',
        content: replicas.map(({ url: _, host: __, ...facts }) => facts),
      },
      {
        name: 'log.jsonl',
        content: recentLines
          .all()
          .map((line) => `${line}\n`)
          .join(''),
      },
      ...((await databaseFiles(sourceOf(settings))) ?? []),
    ],
    now,
  );
}

function processFacts(now: Date) {
  const seconds = Math.round(process.uptime());
  return { now: now.toISOString(), uptime_seconds: seconds, memory: process.memoryUsage(), resources: process.resourceUsage() };
}

/** Settings that are known to be no secret, and of others whether they are set: a new setting is left out until it is added here. */
function shownSettings(settings: Settings): object {
  const isSet = (value: unknown) => (value === undefined ? 'not set' : 'set');
  return {
    database: settings.database ? 'PostgreSQL' : 'embedded',
    replica_url: isSet(settings.replicaUrl),
    cipher_key_file: isSet(settings.cipherKeyFile),
    admin_password: isSet(settings.adminPassword),
    port: settings.port,
    tls: settings.tls && { port: settings.tls.port, plain: settings.tls.plain },
    context_path: settings.contextPath,
    trusted_proxies: settings.trustProxy.length,
    sessions: settings.sessions,
    open_metrics: settings.openMetrics,
    mail: { start_tls: settings.mail.startTls, ca: isSet(settings.mail.caFile) },
    disk: settings.disk,
    artifacts: settings.artifactBucket ? 'bucket' : 'folder',
    material_interval: settings.materialInterval,
    material_tls: { ca: isSet(settings.materialTls.caFile), unchecked_hosts: settings.materialTls.uncheckedHosts.length },
    allow_loopback: settings.allowLoopback,
    allow_private_repositories: settings.allowPrivateRepositories,
    local_repositories: settings.localRepositories.length,
    allow_private_webhooks: settings.allowPrivateWebhooks,
    history_days: settings.historyDays,
    local_agents: settings.localAgents.count,
    log_level: settings.logLevel,
    traces: settings.traces ? { ratio: settings.traces.ratio } : 'not set',
  };
}

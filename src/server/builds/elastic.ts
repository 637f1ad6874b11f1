// Joins agents on demand to the configuration, the plugins and the engine.
import type { AgentRegistry } from '../../builds/agents/registry.ts';
import type { AgentSessions } from '../../builds/agents/sessions.ts';
import type { Consoles } from '../../builds/console/consoles.ts';
import { ElasticAgents } from '../../builds/elastic/elastic-agents.ts';
import { hiddenProblem, keepsLocalClusters } from '../../builds/elastic/local-clusters.ts';
import type { BuildEngine } from '../../builds/engine.ts';
import type { ElasticAgentPlugin } from '../../contracts/plugins/elastic-agent.ts';
import type { Property } from '../../shape/properties.ts';
import { openSecrets } from '../open/secrets.ts';
import { identifierOf } from './job-identifier.ts';
import type { BuildParts } from './parts.ts';

interface OpenElasticParts {
  readonly engine: BuildEngine;
  readonly registry: AgentRegistry;
  readonly sessions: AgentSessions;
  readonly consoles: Consoles;
  siteUrl(): string;
  isInMaintenance(): boolean;
  isDiskFull(): boolean;
  onFailure(failure: unknown, message: string): void;
}

const LOOK_EVERY_MS = 3000;

export function openElasticAgents(parts: BuildParts, joined: OpenElasticParts): ElasticAgents {
  const { config, plugins, dataDir, runner, changes, access, clusterReach } = parts;
  const { engine, registry, sessions, consoles } = joined;
  const secrets = openSecrets(config, plugins, { directory: dataDir });
  const settingsOf = async (name: string, plugin: ElasticAgentPlugin, properties: readonly Property[]) => {
    const written = plugins.clearValues(properties);
    const resolved = await secrets.resolveAll(written, { type: 'cluster_profile', name });
    const problem = hiddenProblem(written, resolved, (cluster) => plugin.missingAccount?.(cluster));
    if (problem !== undefined) throw new Error(problem);
    return resolved;
  };
  const elastic = new ElasticAgents({
    isReady: () => registry.isStarted && engine.isStarted,
    state: engine.state,
    queue: engine.queue,
    registry,
    lastContactAt: (uuid) => sessions.lastContactAt(uuid),
    clusters: () =>
      [...config.of('clusterProfiles').all()].flatMap(({ value: { id, pluginId, properties } }) => {
        const plugin = plugins.elasticAgent(pluginId);
        return plugin ? [{ id, plugin, settings: () => settingsOf(id, plugin, properties) }] : [];
      }),
    clusterOf: (profile) => {
      const cluster = config.of('elasticProfiles').find(profile)?.value.clusterProfileId;
      const { id, pluginId = '' } = (cluster && config.of('clusterProfiles').find(cluster)?.value) || {};
      return plugins.elasticAgent(pluginId) && id;
    },
    profileSettings: (profile) => plugins.clearValues(config.of('elasticProfiles').find(profile)?.value.properties ?? []),
    networkPolicy: clusterReach,
    serverId: () => config.of('serverIdentity').find('')?.value.serverId ?? '',
    siteUrl: joined.siteUrl,
    isHeld: () => joined.isInMaintenance() || joined.isDiskFull(),
    note: (job, line) => consoles.note(identifierOf(job), line),
    onWaitingChanged: () => engine.checkStranded(),
    onFailure: joined.onFailure,
  });
  runner.add({ name: 'elastic agents', when: { every: LOOK_EVERY_MS }, runsWhilePaused: true, run: async () => elastic.check() });
  changes.addCheck(
    keepsLocalClusters({
      isAdmin: (loginName) => access.isAdmin({ loginName }),
      clearValues: (properties) => plugins.clearValues(properties),
      missingAccount: (pluginId, cluster) => plugins.elasticAgent(pluginId)?.missingAccount?.(cluster),
    }),
  );
  changes.listen(({ edits }) => {
    if (edits.some(({ kind }) => kind.name === 'clusterProfiles' || kind.name === 'elasticProfiles')) elastic.profilesChanged();
  });
  return elastic;
}

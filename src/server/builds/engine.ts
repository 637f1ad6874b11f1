// Joins the engine to the parts of the server that it asks and notifies.
import { BuildEngine } from '../../builds/engine.ts';
import type { EngineParts } from '../../builds/engine-parts.ts';
import type { MaterialTools } from '../../materials/catalogue/identity.ts';
import { Filters } from '../../notifications/filters.ts';
import { openSecrets } from '../open/secrets.ts';
import { buildTraces } from '../telemetry/build-traces.ts';
import type { AwaitedPolls } from './awaited-polls.ts';
import { buildHealth } from './build-health.ts';
import type { BuildParts } from './parts.ts';
import { mailStatements } from './stage-mails.ts';
import { openWorkTools } from './work-tools.ts';

interface OpenEngineParts
  extends Pick<
    EngineParts,
    'config' | 'write' | 'agents' | 'elastic' | 'consoles' | 'artifacts' | 'isInMaintenance' | 'isDiskFull' | 'onFailure'
  > {
  readonly tools: MaterialTools;
  readonly polls: AwaitedPolls;
  /** Where people and agents find the server. */
  siteUrl(): string;
}

export function openEngine(parts: BuildParts, { tools, polls, siteUrl, ...joined }: OpenEngineParts): BuildEngine {
  const { config, cipher, plugins, database, dataDir, pauses, mail, materials } = parts;
  const { stored, modifications, poller } = materials.ofBuilds;
  const filters = new Filters(database, parts.serialWrites);
  const secrets = openSecrets(config, plugins, { directory: dataDir });
  const traces = parts.tracer && buildTraces(parts.tracer, config);
  const engine: BuildEngine = new BuildEngine({
    ...joined,
    database,
    materials: stored,
    modifications,
    tools: () =>
      openWorkTools({
        cipher,
        tools,
        secrets,
        artifactStore: (id) => config.of('artifactStores').find(id)?.value,
        stagesOf: (pipeline) => joined.config.stagesOf(pipeline),
        serverUrl: siteUrl,
        ...(traces && { traceparentOf: traces.traceparentOf }),
      }),
    ...(traces && {
      onStageCompleted: (completed) => {
        const recorded = traces.record(completed, engine.state.jobs);
        recorded.catch((failure: unknown) => joined.onFailure(failure, 'a stage could not be traced'));
      },
    }),
    pauseOf: (pipeline) => pauses.find(pipeline),
    isUnderWay: (fingerprint) => poller.isUnderWay(fingerprint, 'not counted'),
    poll: (fingerprints, signal, configRepo) => polls.poll(fingerprints, signal, configRepo),
    mails: (completed) =>
      mailStatements(completed, { ...parts, filters, state: engine.state, outbox: mail.outbox, modifications, siteUrl }),
    sendMails: () => mail.outbox.wake(),
    health: buildHealth(parts.health, joined.agents.nameOf),
  });
  return engine;
}

// Joins the retention of artifacts to the server: its facts, the events that wake it, and when it works.
import { dirname } from 'node:path';
import type { ArtifactRetentionParts } from '../../api/endpoints/artifact-retention/routes.ts';
import type { Publications } from '../../artifacts/publications.ts';
import type { RetentionFacts } from '../../artifacts/retention/facts.ts';
import type { StageNow } from '../../artifacts/retention/purgeable.ts';
import { Purger } from '../../artifacts/retention/purger.ts';
import { Retention } from '../../artifacts/retention/retention.ts';
import { KEPT_FOLDERS } from '../../artifacts/stage-run.ts';
import type { ArtifactStorage } from '../../artifacts/storage/storage.ts';
import { type BuildConfig, keyOfName } from '../../builds/configured.ts';
import type { Config } from '../../config/current.ts';
import { freeSpace } from '../../health/disk/free-space.ts';
import { DISK_CHECK_MS } from '../../health/disk/watch.ts';
import type { KindName } from '../../shape/configuration.ts';
import { PurgeableRuns } from '../../store/artifacts/purgeable-runs.ts';
import { Purges } from '../../store/artifacts/purges.ts';
import { ArtifactUsage } from '../../store/artifacts/usage.ts';
import { Runs } from '../../store/builds/runs.ts';
import type { CommitWithEvents } from '../../store/write-with-events.ts';
import type { BuildParts } from './parts.ts';

interface OpenRetentionParts {
  readonly config: Pick<BuildConfig, 'stagesOf'>;
  readonly write: CommitWithEvents;
  readonly storage: Pick<ArtifactStorage, 'remove'>;
  readonly publications: Pick<Publications, 'whileNoneIsPublished'>;
  /** Of the artifacts; undefined: they lie on no disk of this machine. */
  folder(): string | undefined;
}

export interface OpenRetention {
  /** For its routes. */
  readonly routeParts: ArtifactRetentionParts;
  /** From now on it is done here. */
  start(): void;
}

/** The kinds whose changes decide which artifacts are deleted. */
const LIMITS: ReadonlySet<KindName> = new Set(['artifactRetention', 'artifactsConfig']);
const STAGES: ReadonlySet<KindName> = new Set(['pipelines', 'templates']);

export function openRetention(parts: BuildParts, joined: OpenRetentionParts): OpenRetention {
  const { database, log, maintenance } = parts;
  const facts = factsOf(parts, joined);
  const purges = new Purges(database, KEPT_FOLDERS);
  const purger = new Purger({ ...joined, database, runs: facts.runs, purges, log });
  const retention = new Retention({ facts, purger, isHeld: () => maintenance.isOn, log });
  wakeRetention(parts, retention);
  return {
    routeParts: { facts, usage: new ArtifactUsage(database), namesOf: namesOf(parts) },
    start: () => retention.start(),
  };
}

function factsOf({ database, config }: BuildParts, { config: builds, folder }: OpenRetentionParts): RetentionFacts {
  return {
    runs: new PurgeableRuns(database, KEPT_FOLDERS),
    settings: () => config.of('artifactsConfig').find('')?.value.purgeSettings ?? { start: null, upto: null },
    rules: () => config.of('artifactRetention').find('')?.value.rules ?? [],
    stageNow: rememberedStages(config, builds),
    free: () => freeAt(folder()),
    now: () => database.now(),
  };
}

/** To find the stages of a pipeline its parameters are replaced: once is enough, as long as the configuration is the same. */
function rememberedStages(config: Pick<Config, 'revision'>, { stagesOf }: Pick<BuildConfig, 'stagesOf'>): RetentionFacts['stageNow'] {
  const known = new Map<string, ReadonlyMap<string, StageNow>>();
  let revision = -1;
  return (pipeline, stageKey) => {
    if (revision !== config.revision) known.clear();
    revision = config.revision;
    const stages = known.getOrInsertComputed(keyOfName(pipeline), () => {
      const now = stagesOf(pipeline) ?? [];
      return new Map(now.map(({ name, neverCleanupArtifacts }) => [keyOfName(name), { neverCleanupArtifacts }]));
    });
    return stages.get(stageKey);
  };
}

/** It looks around as often as the free disk space is looked at. A run that is under way when something happens is followed by one more. */
function wakeRetention({ runner, changes, eventLog }: BuildParts, retention: Retention): void {
  runner.add({
    name: 'retention of artifacts',
    kind: 'retention',
    when: { every: DISK_CHECK_MS },
    run: (signal) => retention.work(signal),
  });
  changes.listen(({ edits }) => {
    if (edits.some(({ kind }) => LIMITS.has(kind.name))) retention.lookAtAll();
    if (edits.some(({ kind }) => STAGES.has(kind.name))) retention.stagesChanged();
  });
  eventLog.events.listen((events) => {
    for (const { content } of events)
      if (content.type === 'stage.completed') for (const { id } of content.about) retention.stageCompleted(keyOfName(id));
  });
}

/** The names of pipelines; for a removed one, the name in its last run. */
function namesOf({ config, database }: BuildParts): ArtifactRetentionParts['namesOf'] {
  const runs = new Runs(database);
  return async (keys) => {
    const names = new Map<string, { name: string; isConfigured: boolean }>();
    for (const key of keys) {
      const configured = config.of('pipelines').find(key)?.value.name;
      const name = configured ?? (await runs.last(key))?.pipeline ?? key;
      names.set(key, { name, isConfigured: configured !== undefined });
    }
    return names;
  };
}

/** Where the folder is not yet, it will be made on the disk of the one above. */
async function freeAt(folder: string | undefined): Promise<number | undefined> {
  for (let path = folder; path !== undefined; path = dirname(path)) {
    const free = await freeSpace(path);
    if (free !== undefined || path === dirname(path)) return free;
  }
  return undefined;
}

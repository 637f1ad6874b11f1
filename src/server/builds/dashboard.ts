// Joins the dashboard to the configuration it shows, and to the events that change it.
import type { BuildConfig, ConfiguredStage } from '../../builds/configured.ts';
import { keyOfName } from '../../builds/configured.ts';
import { DashboardIndex } from '../../builds/dashboard/dashboard-index.ts';
import type { DashboardConfigStage, DashboardPipeline } from '../../builds/dashboard/facts.ts';
import type { Config } from '../../config/current.ts';
import type { Edit } from '../../config/edit.ts';
import { kindAndKeyIn, nameOf } from '../../config/references.ts';
import type { StoredEvent } from '../../events/stored-event.ts';
import { shownRepository } from '../../resources/parts/materials.ts';
import { resolved } from '../../resources/parts/resolved.ts';
import type { Entity, KindName } from '../../shape/configuration.ts';
import { isOfKind } from '../../shape/is-of-kind.ts';
import { DashboardReader } from '../../store/builds/dashboard-rows.ts';
import { pipelinesWith } from './affected-pipelines.ts';
import type { BuildParts } from './parts.ts';

interface Parts extends Pick<BuildParts, 'config' | 'changes' | 'database' | 'eventLog'> {
  readonly buildConfig: BuildConfig;
  onFailure(failure: unknown, message: string): void;
}

/** Nothing that is shown changes with it. */
const NOT_SHOWN = new Set(['job.assigned']);

export function openDashboard({ config, changes, database, eventLog, buildConfig, onFailure }: Parts): DashboardIndex {
  const index = new DashboardIndex({
    reader: new DashboardReader(database),
    keys: () => buildConfig.keys(),
    find: (key) => shownPipeline(key, config, buildConfig),
    now: () => database.now(),
    onFailure: (failure) => onFailure(failure, 'the dashboard could not be brought up to date'),
  });
  eventLog.events.listen((events) => {
    if (index.isStarted) index.touch(events.flatMap(pipelinesOf));
  });
  changes.listen(({ edits }) => {
    if (index.isStarted) index.touch(edits.flatMap((edit) => [...pipelinesShownOtherwise(edit, config)]));
  });
  return index;
}

function pipelinesOf({ content: { type, about } }: StoredEvent): string[] {
  return NOT_SHOWN.has(type) ? [] : about.flatMap(({ resource, id }) => (resource === 'pipelines' ? [keyOfName(id)] : []));
}

/** The keys of the pipelines whose row a change may make another one. */
function pipelinesShownOtherwise(
  { kind, key, before, after }: Pick<Edit, 'kind' | 'key' | 'before' | 'after'>,
  config: Config,
): Iterable<string> {
  switch (kind.name) {
    case 'pipelines':
      return [key];
    case 'templates':
      return pipelinesWith(key, config);
    case 'environments':
    case 'environmentParts':
      return [before, after].flatMap((entry) => (entry ? pipelinesIn(kind.name, entry.value).map(keyOfName) : []));
    case 'configRepos':
      return referrersOf(config, 'configRepos', key, 'pipelines');
    default:
      return [];
  }
}

function pipelinesIn(kind: KindName, entity: Entity): readonly string[] {
  return isOfKind('environments', kind, entity) || isOfKind('environmentParts', kind, entity) ? entity.pipelines : [];
}

function shownPipeline(key: string, config: Config, buildConfig: BuildConfig): DashboardPipeline | undefined {
  const written = config.of('pipelines').find(key)?.value;
  if (!written) return undefined;
  const { name, group, template, origin, trackingTool } = resolved(written);
  const repo = origin && config.of('configRepos').find(origin.repo)?.value;
  return {
    key,
    name,
    group,
    environment: environmentOf(key, config),
    template,
    repo: origin && { id: origin.repo, url: repo ? shownRepository(repo.material) : '' },
    trackingTool: trackingTool && { urlPattern: trackingTool.urlPattern, regex: trackingTool.regex },
    stages: (buildConfig.stagesOf(key) ?? []).map(shownStage),
  };
}

function shownStage({ name, approval, jobs }: ConfiguredStage): DashboardConfigStage {
  const { users, roles } = approval.authorization;
  return {
    name,
    isManual: approval.type === 'manual',
    allowOnlyOnSuccess: approval.allowOnlyOnSuccess,
    approvers: users.length + roles.length > 0 ? { users, roles } : undefined,
    jobs: jobs.map((job) => job.name),
  };
}

/** Only its name: the cost of joining all its sources would grow with its pipelines. */
function environmentOf(key: string, config: Config): string | null {
  const [own] = referrersOf(config, 'pipelines', key, 'environments');
  const [part] = referrersOf(config, 'pipelines', key, 'environmentParts');
  const name = own ?? (part && config.of('environmentParts').find(part)?.value.environment);
  return (name !== undefined && config.of('environments').find(name)?.value.name) || null;
}

function referrersOf(config: Config, kind: 'pipelines' | 'configRepos', key: string, wanted: KindName): string[] {
  return [...config.references.of(nameOf(config.of(kind).kind, key))].flatMap((referrer) => {
    const { kind: referring, key: found } = kindAndKeyIn(referrer);
    return referring === wanted ? [found] : [];
  });
}

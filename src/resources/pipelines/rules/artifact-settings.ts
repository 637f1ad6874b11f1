// The problems that the plugin of an artifact store finds in the settings with which artifacts are published to it and fetched from it.
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import type { Property } from '../../../shape/properties.ts';
import type { Lookup, PluginsView } from '../../../shape/resource.ts';
import type { Stage } from '../stages.ts';
import type { JobNames } from './tasks.ts';

export interface StoresView extends PluginsView {
  readonly artifactStores: Lookup<{ readonly pluginId: string }>;
}

/** The entity that has the settings: messages name it when the settings are checked because another entity changes. */
export interface SettingsOwner {
  readonly owner: string;
}

/** How deep in a pipeline an artifact stands. */
const ARTIFACT_DEPTH = 6;

export function publishProblems(stages: readonly Stage[], view: StoresView, settingsOwner?: SettingsOwner): Problem[] {
  return stages.flatMap(({ name: stage, jobs }, stageIndex) =>
    jobs.flatMap(({ name: job, artifacts }, jobIndex) =>
      artifacts.flatMap(({ type, attributes }, index) => {
        if (type !== 'external') return [];
        const at = ['stages', stageIndex, 'jobs', jobIndex, 'artifacts', index];
        const jobNames = settingsOwner && { ...settingsOwner, stage, job };
        return settingsProblems('artifact_config', attributes.storeId, attributes.configuration, at, view, jobNames);
      }),
    ),
  );
}

/** The problems of artifacts with one of these texts: the problems of other artifacts are reported at their template. */
export function problemsOfArtifactsWith(texts: readonly { readonly at: Path }[], problems: readonly Problem[]): readonly Problem[] {
  const artifactAt = (at: Path) => at.slice(0, ARTIFACT_DEPTH).join('\n');
  const open = new Set(texts.map(({ at }) => artifactAt(at)));
  return problems.filter(({ at }) => open.has(artifactAt(at)));
}

/** A setting that was not sent is reported beside the others of its owner. */
export function settingsProblems(
  block: 'artifact_config' | 'fetch_artifact',
  storeId: string,
  settings: readonly Property[],
  at: Path,
  view: StoresView,
  jobNames?: JobNames,
): Problem[] {
  const pluginId = view.artifactStores.get(storeId)?.pluginId;
  if (!pluginId) return [];
  const unresolvedKeys = new Set(settings.filter(hasParameter).map(({ key }) => key));
  const indexes = new Map(settings.map(({ key }, index) => [key, index] as const).toReversed());
  return view.askPlugin({ pluginId, block, settings, unresolvedKeys }).map(({ key, message }) => {
    const index = indexes.get(key);
    const path = index === undefined ? [...at, key] : [...at, 'configuration', index, key];
    return {
      at: path,
      message: jobNames ? `${message} "${jobNames.owner} :: ${jobNames.stage} :: ${jobNames.job}"` : message,
      pluginSetting: key,
    };
  });
}

/** In a template, only the pipelines that use it know the final value. */
function hasParameter({ value }: Property): boolean {
  return typeof value === 'string' && value.includes('#{');
}

// Fetch tasks take artifacts only from where they can be by then.
import type { Problem } from '../../../shape/problems/problem.ts';
import { resolved } from '../../parts/resolved.ts';
import { type Fetch, type FetchAttributes, fetchesIn } from '../fetches.ts';
import { jobNamed } from '../job-instances.ts';
import type { Job } from '../jobs.ts';
import { isDependency } from '../materials.ts';
import { same } from '../same-name.ts';
import type { Stage } from '../stages.ts';
import { type SettingsOwner, type StoresView, settingsProblems } from './artifact-settings.ts';
import { type PipelinesView, type PipelineView, stagesOf } from './rule-view.ts';

export type FetchRulesView = PipelinesView & StoresView;

/** For the stages that run; the places are those in these stages, also when they come from a template. */
export function fetchProblems(
  pipeline: PipelineView,
  stages: readonly Stage[],
  view: FetchRulesView,
  settingsOwner?: SettingsOwner,
): Problem[] {
  const problems: Problem[] = [];
  for (const fetch of fetchesIn(stages)) {
    const { attributes, at, stageIndex, job, isOnCancel } = fetch;
    const found = oneFetch(attributes, { pipeline, stages, stageIndex, job }, view);
    if (!found) continue;
    if ('storeId' in found) problems.push(...fetchSettings(fetch, found, stages, view, settingsOwner));
    // When a job is cancelled, it is unknown which artifacts exist by then.
    else if (!isOnCancel) problems.push({ at: [...at, found.key], message: found.message });
  }
  return problems;
}

/** A template knows only its own stages; fetches from other pipelines are checked in the pipelines that use it. */
export function ownFetchProblems(stages: readonly Stage[], view: StoresView, settingsOwner?: SettingsOwner): Problem[] {
  const problems: Problem[] = [];
  for (const fetch of fetchesIn(stages)) {
    const { pipeline, stage, job: jobName, artifactOrigin, artifactId } = fetch.attributes;
    if (pipeline || artifactOrigin !== 'external') continue;
    const job = jobNamed(stages.find(({ name }) => same(name, stage))?.jobs ?? [], jobName);
    const found = job && externalArtifact(job, artifactId);
    if (found) problems.push(...fetchSettings(fetch, found, stages, view, settingsOwner));
  }
  return problems;
}

function fetchSettings(
  { attributes, at, stageIndex, job }: Fetch,
  { storeId }: Published,
  stages: readonly Stage[],
  view: StoresView,
  settingsOwner?: SettingsOwner,
) {
  const jobNames = settingsOwner && { ...settingsOwner, stage: stages[stageIndex]!.name, job };
  return settingsProblems('fetch_artifact', storeId, attributes.configuration, at, view, jobNames);
}

function externalArtifact({ artifacts }: Job, artifactId: string | null): Published | undefined {
  for (const artifact of artifacts)
    if (artifact.type === 'external' && artifact.attributes.artifactId === artifactId) return artifact.attributes;
  return undefined;
}

/** The job that fetches. */
interface Fetcher {
  readonly pipeline: PipelineView;
  readonly stages: readonly Stage[];
  readonly stageIndex: number;
  readonly job: string;
}

interface Fault {
  readonly key: string;
  readonly message: string;
}

/** Where the external artifact was published that is fetched. */
interface Published {
  readonly storeId: string;
}

function oneFetch(attributes: FetchAttributes, fetcher: Fetcher, view: PipelinesView): Fault | Published | undefined {
  const { pipeline: path, stage: stageName, job: jobName, artifactOrigin, artifactId } = attributes;
  if (stageName === '' || jobName === '') return undefined;
  const { pipeline, stages: ownStages, stageIndex, job } = fetcher;
  const ownStage = ownStages[stageIndex]!.name;
  const who = `"${pipeline.name} :: ${ownStage} :: ${job}"`;
  const source =
    path && !same(path, pipeline.name)
      ? upstreamSource(path, pipeline, who, view)
      : { name: pipeline.name, done: stageIndex, stages: ownStages, isOwn: true };
  if ('key' in source) return source;
  const { name, done, stages, isOwn } = source;
  const index = stages.findIndex((one) => same(one.name, stageName));
  if (index < 0)
    return { key: 'stage', message: `${who} tries to fetch artifact from stage "${name} :: ${stageName}" which does not exist.` };
  if (index >= done) {
    const message = isOwn
      ? `${who} tries to fetch artifact from its stage "${stageName}" which does not complete before the current stage "${ownStage}".`
      : `${who} tries to fetch artifact from stage "${name} :: ${stageName}" which does not complete before "${pipeline.name}" pipeline's dependencies.`;
    return { key: 'stage', message };
  }
  const found = jobNamed(stages[index]!.jobs, jobName);
  if (!found)
    return { key: 'job', message: `${who} tries to fetch artifact from job "${name} :: ${stageName} :: ${jobName}" which does not exist.` };
  // One without an id is told so already.
  if (artifactOrigin !== 'external' || !artifactId?.trim()) return undefined;
  const message = `Pluggable artifact with id \`${artifactId}\` does not exist in [${name}/${stageName}/${jobName}].`;
  return externalArtifact(found, artifactId) ?? { key: 'artifact_id', message };
}

interface Source {
  readonly name: string;
  /** How many of the stages are done by then. */
  readonly done: number;
  readonly stages: readonly Stage[];
  readonly isOwn?: boolean;
}

/** Follows an ancestor path: in `A/B`, B is upstream of the pipeline and A upstream of B. */
function upstreamSource(path: string, pipeline: PipelineView, who: string, view: PipelinesView): Source | Fault {
  const names = path.split('/').reverse();
  const isPath = names.length > 1;
  const fault = (message: string) => ({ key: 'pipeline', message });
  let current = pipeline;
  let passed = '';
  for (const name of names) {
    const next = view.pipelines.get(name);
    if (!next) {
      return fault(
        isPath
          ? `Pipeline named '${name}' which is declared ancestor of '${pipeline.name}' through path '${path}' does not exist.`
          : `${who} tries to fetch artifact from pipeline "${name}" which does not exist.`,
      );
    }
    const dependency = resolved(current).materials.find((material) => isDependency(material) && same(material.attributes.pipeline, name));
    if (!dependency || !isDependency(dependency)) {
      return fault(
        isPath
          ? `Pipeline named '${name}' exists, but is not an ancestor of '${pipeline.name}' as declared in '${path}'.`
          : `Pipeline "${pipeline.name}" tries to fetch artifact from pipeline "${name}" which is not an upstream pipeline`,
      );
    }
    passed = dependency.attributes.stage;
    current = next;
  }
  const stages = stagesOf(current, view);
  const last = stages.findIndex((stage) => same(stage.name, passed));
  // A dependency on a stage that does not exist is reported beside the dependency; here any stage will do.
  return { name: current.name, done: last < 0 ? stages.length : last + 1, stages };
}

// Fetch tasks take artifacts only from where they can be by then.
import type { Problem } from '../../../shape/problems/problem.ts';
import { resolved } from '../../parts/resolved.ts';
import { type Fetch, type FetchAttributes, fetchesIn } from '../fetches.ts';
import { jobNamed } from '../job-instances.ts';
import type { Job } from '../jobs.ts';
import { isDependency, type PipelineMaterial } from '../materials.ts';
import { NameLookup } from '../name-lookup.ts';
import { same } from '../same-name.ts';
import type { Stage } from '../stages.ts';
import { type SettingsOwner, type StoresView, settingsProblems } from './artifact-settings.ts';
import { type PipelinesView, type PipelineView, stagesOf } from './rule-view.ts';

export type FetchRulesView = PipelinesView & StoresView;

/** The problems of fetch tasks in the stages that run; paths are those in these stages, also when they come from a template. */
export function fetchProblems(
  pipeline: PipelineView,
  stages: readonly Stage[],
  view: FetchRulesView,
  settingsOwner?: SettingsOwner,
): Problem[] {
  const problems: Problem[] = [];
  const sources = new FetchSources(pipeline, view);
  for (const fetch of fetchesIn(stages)) {
    const { attributes, at, stageIndex, job, isOnCancel } = fetch;
    const found = oneFetch(attributes, { pipeline, stages, stageIndex, job }, sources);
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
  const lookup = new NameLookup();
  for (const fetch of fetchesIn(stages)) {
    const { pipeline, stage, job: jobName, artifactOrigin, artifactId } = fetch.attributes;
    if (pipeline || artifactOrigin !== 'external') continue;
    const job = jobNamed(lookup.find(stages, stageName, stage)?.jobs ?? [], jobName, lookup);
    const found = job && externalArtifact(job, artifactId);
    if (found) problems.push(...fetchSettings(fetch, found, stages, view, settingsOwner));
  }
  return problems;
}

function fetchSettings(
  { attributes, at, stageIndex, job }: Fetch,
  { storeId }: PublishedArtifact,
  stages: readonly Stage[],
  view: StoresView,
  settingsOwner?: SettingsOwner,
) {
  const jobNames = settingsOwner && { ...settingsOwner, stage: stages[stageIndex]!.name, job };
  return settingsProblems('fetch_artifact', storeId, attributes.configuration, at, view, jobNames);
}

function externalArtifact({ artifacts }: Job, artifactId: string | null): PublishedArtifact | undefined {
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
interface PublishedArtifact {
  readonly storeId: string;
}

function oneFetch(attributes: FetchAttributes, fetcher: Fetcher, sources: FetchSources): Fault | PublishedArtifact | undefined {
  const { pipeline: path, stage: wantedStage, job: jobName, artifactOrigin, artifactId } = attributes;
  if (wantedStage === '' || jobName === '') return undefined;
  const { pipeline, stages: ownStages, stageIndex, job } = fetcher;
  const ownStage = ownStages[stageIndex]!.name;
  const who = `"${pipeline.name} :: ${ownStage} :: ${job}"`;
  const source =
    path && !same(path, pipeline.name)
      ? sources.upstream(path, who)
      : { name: pipeline.name, done: stageIndex, stages: ownStages, isOwn: true };
  if ('key' in source) return source;
  const { name, done, stages, isOwn } = source;
  const index = sources.lookup.indexOf(stages, stageName, wantedStage);
  if (index < 0)
    return { key: 'stage', message: `${who} tries to fetch artifact from stage "${name} :: ${wantedStage}" which does not exist.` };
  if (index >= done) {
    const message = isOwn
      ? `${who} tries to fetch artifact from its stage "${wantedStage}" which does not complete before the current stage "${ownStage}".`
      : `${who} tries to fetch artifact from stage "${name} :: ${wantedStage}" which does not complete before "${pipeline.name}" pipeline's dependencies.`;
    return { key: 'stage', message };
  }
  const found = jobNamed(stages[index]!.jobs, jobName, sources.lookup);
  if (!found)
    return {
      key: 'job',
      message: `${who} tries to fetch artifact from job "${name} :: ${wantedStage} :: ${jobName}" which does not exist.`,
    };
  // A missing id is reported already.
  if (artifactOrigin !== 'external' || !artifactId?.trim()) return undefined;
  const message = `Pluggable artifact with id \`${artifactId}\` does not exist in [${name}/${wantedStage}/${jobName}].`;
  return externalArtifact(found, artifactId) ?? { key: 'artifact_id', message };
}

interface Source {
  readonly name: string;
  /** How many of the stages are done by then. */
  readonly done: number;
  readonly stages: readonly Stage[];
  readonly isOwn?: boolean;
}

/** Why a path leads nowhere, in words about the job that fetches. */
type Explanation = (who: string) => string;

/** Where the fetches of one pipeline find their stages. Each path is followed once: very many fetches may have the same. */
class FetchSources {
  readonly lookup = new NameLookup();
  readonly #pipeline: PipelineView;
  readonly #view: PipelinesView;
  readonly #byPath = new Map<string, Source | Explanation>();

  constructor(pipeline: PipelineView, view: PipelinesView) {
    this.#pipeline = pipeline;
    this.#view = view;
  }

  upstream(path: string, who: string): Source | Fault {
    const source = this.#byPath.getOrInsertComputed(path, () => this.#follow(path));
    return typeof source === 'function' ? { key: 'pipeline', message: source(who) } : source;
  }

  /** Follows an ancestor path: in `A/B`, B is upstream of the pipeline and A upstream of B. */
  #follow(path: string): Source | Explanation {
    const names = path.split('/').reverse();
    const isPath = names.length > 1;
    const { name: own } = this.#pipeline;
    let current = this.#pipeline;
    let passed = '';
    for (const name of names) {
      const next = this.#view.pipelines.get(name);
      if (!next)
        return isPath
          ? () => `Pipeline named '${name}' which is declared ancestor of '${own}' through path '${path}' does not exist.`
          : (who) => `${who} tries to fetch artifact from pipeline "${name}" which does not exist.`;
      const dependency = this.lookup.find(resolved(current).materials, upstreamName, name);
      if (!dependency || !isDependency(dependency))
        return isPath
          ? () => `Pipeline named '${name}' exists, but is not an ancestor of '${own}' as declared in '${path}'.`
          : () => `Pipeline "${own}" tries to fetch artifact from pipeline "${name}" which is not an upstream pipeline`;
      passed = dependency.attributes.stage;
      current = next;
    }
    const stages = stagesOf(current, this.#view);
    const last = this.lookup.indexOf(stages, stageName, passed);
    // A dependency on a stage that does not exist is reported beside the dependency; here any stage will do.
    return { name: current.name, done: last < 0 ? stages.length : last + 1, stages };
  }
}

function stageName({ name }: Stage): string {
  return name;
}

function upstreamName(material: PipelineMaterial): string | undefined {
  return isDependency(material) ? material.attributes.pipeline : undefined;
}

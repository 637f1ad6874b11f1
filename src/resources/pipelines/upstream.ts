// What a pipeline needs of other pipelines: upstream stages that exist, no circle, artifacts that can be there in time.
import type { Problem } from '../../shape/problem.ts';
import type { Lookup } from '../../shape/resource.ts';
import { isDependency, type PipelineMaterial } from './materials.ts';
import type { Stage } from './stages.ts';
import type { TaskOf } from './tasks.ts';

export interface PipelineSeen {
  readonly name: string;
  readonly group: string;
  readonly template: string | null;
  readonly materials: readonly PipelineMaterial[];
  readonly stages: readonly Stage[] | null;
}

export interface SeesPipelines {
  readonly pipelines: Lookup<PipelineSeen>;
  readonly templates: Lookup<{ readonly stages: readonly Stage[] }>;
}

const ORIGIN = 'cruise-config.xml';

/** The stages that run: the pipeline's own, or those of its template. */
export function stagesOf({ stages, template }: PipelineSeen, { templates }: SeesPipelines): readonly Stage[] {
  return template ? (templates.get(template)?.stages ?? []) : (stages ?? []);
}

export function dependencyProblems(pipeline: PipelineSeen, seen: SeesPipelines): Problem[] {
  const missing = pipeline.materials.flatMap((material, index) => {
    if (!isDependency(material)) return [];
    const { pipeline: upstream, stage } = material.attributes;
    const found = seen.pipelines.get(upstream);
    const at = (key: string) => ['materials', index, 'attributes', key];
    if (!found) {
      return [
        {
          at: at('pipeline'),
          message: `Pipeline with name '${upstream}' does not exist, it is defined as a dependency for pipeline '${pipeline.name}' (${ORIGIN})`,
        },
      ];
    }
    if (stagesOf(found, seen).some((one) => same(one.name, stage))) return [];
    return [
      {
        at: at('stage'),
        message: `Stage with name '${stage}' does not exist on pipeline '${upstream}', it is being referred to from pipeline '${pipeline.name}' (${ORIGIN})`,
      },
    ];
  });
  return [...missing, ...circleProblems(pipeline, seen)];
}

/** Walks up from the pipeline; a way that comes back to it is a circle. Only ancestors are looked at. */
function circleProblems(pipeline: PipelineSeen, { pipelines }: SeesPipelines): Problem[] {
  const visited = new Set<string>();
  const way: string[] = [];
  const leadsBack = (current: PipelineSeen): boolean => {
    way.push(current.name);
    for (const name of upstreamNames(current)) {
      if (same(name, pipeline.name)) return true;
      const key = name.toLowerCase();
      if (visited.has(key)) continue;
      visited.add(key);
      const next = pipelines.get(name);
      if (next && leadsBack(next)) return true;
    }
    way.pop();
    return false;
  };
  if (!leadsBack(pipeline)) return [];
  return [{ at: ['materials'], message: `Circular dependency: ${[...way, pipeline.name].join(' <- ')}` }];
}

function upstreamNames({ materials }: PipelineSeen): string[] {
  return materials.filter(isDependency).map((material) => material.attributes.pipeline);
}

/** Fetch tasks take artifacts only from where they can be by then. */
export function fetchProblems(pipeline: PipelineSeen, seen: SeesPipelines): Problem[] {
  const stages = stagesOf(pipeline, seen);
  return stages.flatMap((stage, stageIndex) =>
    stage.jobs.flatMap((job, jobIndex) =>
      job.tasks.flatMap((task, taskIndex) => {
        if (task.type !== 'fetch') return [];
        // Of a template the errors stand beside the pipeline's mention of it: the stages are not in the body.
        const at = pipeline.template ? [] : ['stages', stageIndex, 'jobs', jobIndex, 'tasks', taskIndex, 'attributes'];
        const problem = oneFetch(task, pipeline, stages, stageIndex, job.name, seen);
        return problem ? [{ at: pipeline.template ? ['template'] : [...at, problem.key], message: problem.message }] : [];
      }),
    ),
  );
}

interface FetchFault {
  readonly key: string;
  readonly message: string;
}

function oneFetch(
  { attributes }: TaskOf<'fetch'>,
  pipeline: PipelineSeen,
  ownStages: readonly Stage[],
  stageIndex: number,
  job: string,
  seen: SeesPipelines,
): FetchFault | undefined {
  const { pipeline: path, stage: stageName, job: jobName, artifactOrigin, artifactId } = attributes;
  if ([path, stageName, jobName].some((text) => text?.includes('#{')) || stageName === '' || jobName === '') return undefined;
  const who = `"${pipeline.name} :: ${ownStages[stageIndex]!.name} :: ${job}"`;
  const source =
    path && !same(path, pipeline.name)
      ? upstreamSource(path, pipeline, seen)
      : { name: pipeline.name, stages: ownStages.slice(0, stageIndex), all: ownStages, isOwn: true };
  if ('fault' in source) return source.fault(who);
  const { name, stages, all } = source;
  const found = stages.find((one) => same(one.name, stageName));
  if (!found) {
    const exists = all.some((one) => same(one.name, stageName));
    if (!exists)
      return { key: 'stage', message: `${who} tries to fetch artifact from stage "${name} :: ${stageName}" which does not exist.` };
    const message = source.isOwn
      ? `${who} tries to fetch artifact from its stage "${stageName}" which does not complete before the current stage "${ownStages[stageIndex]!.name}".`
      : `${who} tries to fetch artifact from stage "${name} :: ${stageName}" which does not complete before "${pipeline.name}" pipeline's dependencies.`;
    return { key: 'stage', message };
  }
  const foundJob = found.jobs.find((one) => same(one.name, jobName));
  if (!foundJob)
    return { key: 'job', message: `${who} tries to fetch artifact from job "${name} :: ${stageName} :: ${jobName}" which does not exist.` };
  if (artifactOrigin !== 'external' || artifactId?.includes('#{')) return undefined;
  const isPublished = foundJob.artifacts.some((artifact) => artifact.type === 'external' && artifact.attributes.artifactId === artifactId);
  return isPublished
    ? undefined
    : { key: 'artifact_id', message: `Pluggable artifact with id \`${artifactId}\` does not exist in [${name}/${stageName}/${jobName}].` };
}

interface Source {
  readonly name: string;
  /** The stages that are done by then. */
  readonly stages: readonly Stage[];
  readonly all: readonly Stage[];
  readonly isOwn?: boolean;
}

/** Follows an ancestor path: in `A/B`, B is upstream of the pipeline and A upstream of B. */
function upstreamSource(path: string, pipeline: PipelineSeen, seen: SeesPipelines): Source | { fault(who: string): FetchFault } {
  const names = path.split('/').reverse();
  let current = pipeline;
  let passed = '';
  for (const name of names) {
    const next = seen.pipelines.get(name);
    const fault = (message: string) => ({ fault: () => ({ key: 'pipeline', message }) });
    if (!next) {
      if (names.length > 1)
        return fault(`Pipeline named '${name}' which is declared ancestor of '${pipeline.name}' through path '${path}' does not exist.`);
      return {
        fault: (who) => ({ key: 'pipeline', message: `${who} tries to fetch artifact from pipeline "${name}" which does not exist.` }),
      };
    }
    const dependency = current.materials.filter(isDependency).find((material) => same(material.attributes.pipeline, name));
    if (!dependency) {
      if (names.length > 1)
        return fault(`Pipeline named '${name}' exists, but is not an ancestor of '${pipeline.name}' as declared in '${path}'.`);
      return fault(`Pipeline "${pipeline.name}" tries to fetch artifact from pipeline "${name}" which is not an upstream pipeline`);
    }
    passed = dependency.attributes.stage;
    current = next;
  }
  const all = stagesOf(current, seen);
  const last = all.findIndex((stage) => same(stage.name, passed));
  return { name: current.name, stages: all.slice(0, last + 1), all };
}

export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

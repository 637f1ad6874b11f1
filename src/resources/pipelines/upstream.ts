// What a pipeline needs of those it depends on: stages that exist, and no circle.
import type { Problem } from '../../shape/problem.ts';
import type { SeesReferrers } from '../../shape/resource.ts';
import { type SeesSources, sourceOf } from '../parts/origin.ts';
import { resolved, resolvedText } from '../parts/resolved.ts';
import { isDependency } from './materials.ts';
import { type PipelineSeen, type SeesPipelines, writtenStagesOf } from './seen.ts';

export type { PipelineSeen, SeesPipelines } from './seen.ts';

/** From so many on it is quicker to ask whether any pipeline depends on this one: if none does, no way leads back. */
const MANY_ANCESTORS = 100;

export function dependencyProblems(pipeline: PipelineSeen, seen: SeesPipelines & SeesSources): Problem[] {
  return [...missingUpstream(pipeline, seen), ...circleProblems(pipeline, seen)];
}

export function missingUpstream(pipeline: PipelineSeen, seen: SeesPipelines & SeesSources): Problem[] {
  return resolved(pipeline).materials.flatMap((material, index) => {
    if (!isDependency(material)) return [];
    const { pipeline: upstream, stage } = material.attributes;
    const found = seen.pipelines.get(upstream);
    const problem = (key: string, message: string) => [{ at: ['materials', index, 'attributes', key], message }];
    if (!found) {
      return problem(
        'pipeline',
        `Pipeline with name '${upstream}' does not exist, it is defined as a dependency for pipeline '${pipeline.name}' (${sourceOf(pipeline.origin, seen)})`,
      );
    }
    if (writtenStagesOf(found, seen).some((one) => same(one.name, stage))) return [];
    return problem(
      'stage',
      `Stage with name '${stage}' does not exist on pipeline '${upstream}', it is being referred to from pipeline '${pipeline.name}' (${sourceOf(pipeline.origin, seen)})`,
    );
  });
}

/** Walks up from the pipeline, through each ancestor once; a way that comes back to it is a circle. */
function circleProblems(pipeline: PipelineSeen, { pipelines, referrers }: SeesPipelines & Partial<SeesReferrers>): Problem[] {
  const start = pipelines.get(pipeline.name) ?? pipeline;
  const reachedFrom = new Map<PipelineSeen, PipelineSeen>();
  const waiting = [start];
  for (let current = waiting.pop(); current; current = waiting.pop()) {
    for (const material of current.materials) {
      if (!isDependency(material)) continue;
      const next = pipelines.get(resolvedText(material.attributes.pipeline, current));
      if (next === start) return [{ at: ['materials'], message: `Circular dependency: ${circle(current, start, reachedFrom)}` }];
      if (!next || reachedFrom.has(next)) continue;
      reachedFrom.set(next, current);
      waiting.push(next);
      if (reachedFrom.size === MANY_ANCESTORS && referrers && !isUpstream(start, referrers)) return [];
    }
  }
  return [];
}

function isUpstream({ name }: PipelineSeen, referrers: SeesReferrers['referrers']): boolean {
  for (const { kind } of referrers('pipelines', name)) if (kind === 'pipelines') return true;
  return false;
}

function circle(last: PipelineSeen, start: PipelineSeen, reachedFrom: ReadonlyMap<PipelineSeen, PipelineSeen>): string {
  const names = [start.name];
  for (let step: PipelineSeen | undefined = last; step; step = reachedFrom.get(step)) names.push(step.name);
  return names.reverse().join(' <- ');
}

export function same(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

// Rules for the upstream pipelines of a pipeline: their stages exist, and there is no dependency cycle.

import type { Problem } from '../../../shape/problems/problem.ts';
import { type SourcesView, sourceOf } from '../../parts/origin.ts';
import { resolved } from '../../parts/resolved.ts';
import { isDependency } from '../materials.ts';
import { same } from '../same-name.ts';
import { cycleProblems } from './dependency-cycles.ts';
import { type PipelinesView, type PipelineView, writtenStagesOf } from './rule-view.ts';

export type { PipelinesView, PipelineView } from './rule-view.ts';

export function dependencyProblems(pipeline: PipelineView, view: PipelinesView & SourcesView): Problem[] {
  return [...missingUpstream(pipeline, view), ...cycleProblems(pipeline, view)];
}

export function missingUpstream(pipeline: PipelineView, view: PipelinesView & SourcesView): Problem[] {
  return resolved(pipeline).materials.flatMap((material, index) => {
    if (!isDependency(material)) return [];
    const { pipeline: upstream, stage } = material.attributes;
    const found = view.pipelines.get(upstream);
    const problem = (key: string, message: string) => [{ at: ['materials', index, 'attributes', key], message }];
    if (!found) {
      return problem(
        'pipeline',
        `Pipeline with name '${upstream}' does not exist, it is defined as a dependency for pipeline '${pipeline.name}' (${sourceOf(pipeline.origin, view)})`,
      );
    }
    if (writtenStagesOf(found, view).some((one) => same(one.name, stage))) return [];
    return problem(
      'stage',
      `Stage with name '${stage}' does not exist on pipeline '${upstream}', it is being referred to from pipeline '${pipeline.name}' (${sourceOf(pipeline.origin, view)})`,
    );
  });
}

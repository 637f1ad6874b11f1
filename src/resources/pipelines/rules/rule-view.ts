// The view of the rest of the configuration that rules for pipelines have.
import type { Lookup } from '../../../shape/resource.ts';
import type { Origin } from '../../parts/origin.ts';
import type { Parameter } from '../../parts/replacement.ts';
import { resolved, resolvedStages } from '../../parts/resolved.ts';
import type { PipelineMaterial } from '../materials.ts';
import type { Stage } from '../stages.ts';

export interface PipelineView {
  readonly name: string;
  readonly group: string;
  readonly origin: Origin | null;
  readonly template: string | null;
  readonly parameters: readonly Parameter[];
  readonly materials: readonly PipelineMaterial[];
  readonly stages: readonly Stage[] | null;
}

export interface PipelinesView {
  readonly pipelines: Lookup<PipelineView>;
  readonly templates: Lookup<{ readonly stages: readonly Stage[] }>;
}

/** The stages as they are written, with parameters: the pipeline's own, or those of its template. */
export function writtenStagesOf({ stages, template }: PipelineView, { templates }: PipelinesView): readonly Stage[] {
  return template ? (templates.get(template)?.stages ?? []) : (stages ?? []);
}

/** The stages that run. */
export function stagesOf(pipeline: PipelineView, view: PipelinesView): readonly Stage[] {
  return pipeline.template ? resolvedStages(writtenStagesOf(pipeline, view), pipeline) : (resolved(pipeline).stages ?? []);
}

// Definitions of config repos may go away at any time: pipelines of the server's own configuration must not need them.
import type { Problem } from '../../../shape/problems/problem.ts';
import { type SourcesView, sourceOf } from '../../parts/origin.ts';
import { resolved } from '../../parts/resolved.ts';
import { isDependency } from '../materials.ts';
import type { Stage } from '../stages.ts';
import type { ScmsView } from './pipeline.ts';
import type { PipelinesView, PipelineView } from './rule-view.ts';

type View = PipelinesView & SourcesView & ScmsView;

export function originProblems(pipeline: PipelineView, stages: readonly Stage[], view: View): Problem[] {
  if (pipeline.origin !== null) return [];
  const own = sourceOf(null, view);
  const sourceIfRemote = (name: string) => {
    const from = view.pipelines.get(name)?.origin ?? null;
    return from === null ? undefined : sourceOf(from, view);
  };
  const dependencies = resolved(pipeline).materials.flatMap((material, index) => {
    const source = isDependency(material) ? sourceIfRemote(material.attributes.pipeline) : undefined;
    if (source === undefined) return [];
    const message = `Dependency from pipeline defined in ${own} to pipeline defined in ${source} is not allowed`;
    return [{ at: ['materials', index, 'attributes', 'pipeline'], message }];
  });
  const scms = resolved(pipeline).materials.flatMap((material, index) => {
    const from = material.type === 'plugin' ? (view.scms.get(material.attributes.ref)?.origin ?? null) : null;
    if (from === null) return [];
    const message = `Pipeline defined in ${own} cannot use an SCM defined in ${sourceOf(from, view)}`;
    return [{ at: ['materials', index, 'attributes', 'ref'], message }];
  });
  const fetches = stages.flatMap((stage, stageIndex) =>
    stage.jobs.flatMap((job, jobIndex) =>
      job.tasks.flatMap((task, taskIndex) => {
        if (task.type !== 'fetch' || !task.attributes.pipeline) return [];
        const upstream = task.attributes.pipeline.split('/')[0]!;
        const source = sourceIfRemote(upstream);
        if (source === undefined) return [];
        const from = `"${upstream} :: ${task.attributes.stage} :: ${task.attributes.job}"`;
        const message = `"${pipeline.name} :: ${stage.name} :: ${job.name}" tries to fetch artifact from job ${from} which is defined in ${source} - reference is not allowed`;
        return [{ at: ['stages', stageIndex, 'jobs', jobIndex, 'tasks', taskIndex, 'attributes', 'pipeline'], message }];
      }),
    ),
  );
  return [...dependencies, ...scms, ...fetches];
}

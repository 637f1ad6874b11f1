// Dependency cycles: pipelines that depend on themselves, directly or through others.
import type { Problem } from '../../../shape/problems/problem.ts';
import type { MemoryView, ReferrersView } from '../../../shape/resource.ts';
import { resolvedText } from '../../parts/resolved.ts';
import { isDependency } from '../materials.ts';
import type { PipelinesView, PipelineView } from './rule-view.ts';

/** From this number on it is quicker to ask whether any pipeline depends on this one: if none does, there is no cycle. */
const MANY_ANCESTORS = 100;
/** The key under which the pipelines are remembered that do not lead to a dependency cycle. */
const SAFE = Symbol('safe pipelines');

type View = PipelinesView & Partial<ReferrersView & MemoryView>;

interface VisitedPipeline {
  readonly pipeline: PipelineView;
  /** Pipelines that it depends on, and that are not visited yet. */
  readonly left: PipelineView[];
  /** Whether it leads to a dependency cycle. */
  isUnsafe: boolean;
}

/** Walks up from the pipeline, through each ancestor once; a path that comes back to it is a dependency cycle. */
export function cycleProblems(pipeline: PipelineView, view: View): Problem[] {
  const { pipelines, referrers, remembered = new Map<unknown, Set<object>>() } = view;
  const safe = remembered.getOrInsertComputed(SAFE, () => new Set());
  const start = pipelines.get(pipeline.name) ?? pipeline;
  const reached = new Set([start]);
  const stack: VisitedPipeline[] = [{ pipeline: start, left: upstreamOf(start, view), isUnsafe: false }];
  for (let step = stack.at(-1); step; step = stack.at(-1)) {
    const next = step.left.pop();
    if (!next) {
      stack.pop();
      if (!step.isUnsafe) safe.add(step.pipeline);
      else if (stack.length > 0) stack.at(-1)!.isUnsafe = true;
      continue;
    }
    if (next === start) return [{ at: ['materials'], message: `Circular dependency: ${cycleText(stack)}` }];
    if (safe.has(next)) continue;
    // It is on the path to this pipeline, and so in a cycle of other pipelines, or it leads to one.
    if (reached.has(next)) step.isUnsafe = true;
    else stack.push({ pipeline: next, left: upstreamOf(next, view), isUnsafe: false });
    reached.add(next);
    if (reached.size === MANY_ANCESTORS && referrers && !isUpstream(start, referrers)) return [];
  }
  return [];
}

function upstreamOf(pipeline: PipelineView, { pipelines }: PipelinesView): PipelineView[] {
  return pipeline.materials.flatMap((material) =>
    isDependency(material) ? (pipelines.get(resolvedText(material.attributes.pipeline, pipeline)) ?? []) : [],
  );
}

function isUpstream({ name }: PipelineView, referrers: ReferrersView['referrers']): boolean {
  for (const { kind } of referrers('pipelines', name)) if (kind === 'pipelines') return true;
  return false;
}

function cycleText(stack: readonly VisitedPipeline[]): string {
  const names = stack.map(({ pipeline }) => pipeline.name);
  return [...names, names[0]].join(' <- ');
}

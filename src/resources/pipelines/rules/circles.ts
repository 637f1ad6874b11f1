// Pipelines that depend on themselves, through whichever others.
import type { Problem } from '../../../shape/problems/problem.ts';
import type { MemoryView, ReferrersView } from '../../../shape/resource.ts';
import { resolvedText } from '../../parts/resolved.ts';
import { isDependency } from '../materials.ts';
import type { PipelinesView, PipelineView } from './rule-view.ts';

/** From so many on it is quicker to ask whether any pipeline depends on this one: if none does, no way leads back. */
const MANY_ANCESTORS = 100;
/** Under this, pipelines are remembered from which no circle can be reached. */
const SAFE = Symbol('safe pipelines');

type View = PipelinesView & Partial<ReferrersView & MemoryView>;

interface Step {
  readonly pipeline: PipelineView;
  /** Those it depends on that are not looked at yet. */
  readonly left: PipelineView[];
  /** Whether a circle can be reached from it. */
  isUnsafe: boolean;
}

/** Walks up from the pipeline, through each ancestor once; a way that comes back to it is a circle. */
export function circleProblems(pipeline: PipelineView, view: View): Problem[] {
  const { pipelines, referrers, remembered = new Map<unknown, Set<object>>() } = view;
  const safe = remembered.getOrInsertComputed(SAFE, () => new Set());
  const start = pipelines.get(pipeline.name) ?? pipeline;
  const reached = new Set([start]);
  const stack: Step[] = [{ pipeline: start, left: upstreamOf(start, view), isUnsafe: false }];
  for (let step = stack.at(-1); step; step = stack.at(-1)) {
    const next = step.left.pop();
    if (!next) {
      stack.pop();
      if (!step.isUnsafe) safe.add(step.pipeline);
      else if (stack.length > 0) stack.at(-1)!.isUnsafe = true;
      continue;
    }
    if (next === start) return [{ at: ['materials'], message: `Circular dependency: ${circle(stack)}` }];
    if (safe.has(next)) continue;
    // It is on the way here, and so in a circle of others, or leads to one.
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

function circle(stack: readonly Step[]): string {
  const names = stack.map(({ pipeline }) => pipeline.name);
  return [...names, names[0]].join(' <- ');
}

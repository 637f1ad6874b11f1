// The stages that a pipeline defines itself.
import { type Lens, member } from '../forms/edit/lens.ts';
import { withDefault } from '../forms/edit/with-default.ts';
import type { Pipeline, Stage } from './pipeline.ts';

const NONE: readonly Stage[] = [];

/** A pipeline with a template has none. */
export function ownStages(pipeline: Lens<Pipeline>): Lens<readonly Stage[]> {
  return withDefault(member(pipeline, 'stages'), NONE);
}

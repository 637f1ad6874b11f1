// The stages of a pipeline that has its own.
import { present } from '../forms/edit/optional.ts';
import { member, type Part } from '../forms/edit/part.ts';
import type { Pipeline, Stage } from './pipeline.ts';

const NONE: readonly Stage[] = [];

/** Where a template has them, there are none here. */
export function presentStages(pipeline: Part<Pipeline>): Part<readonly Stage[]> {
  return present(member(pipeline, 'stages'), NONE);
}

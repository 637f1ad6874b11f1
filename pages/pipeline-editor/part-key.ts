// Which part of a pipeline is chosen: `stages.0.jobs.1`, as it stands in the address.
import type { Path } from '../forms/edit/lens.ts';

export const GENERAL = 'general';

export function partKeyOf(path: Path): string {
  return path.join('.');
}

export function pathOf(partKey: string): Path {
  return partKey.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Where the chosen part is after an item of its list, or the part itself, was moved. */
export function partKeyAfterMove(partKey: string, list: Path, from: number, to: number): string {
  const path = pathOf(partKey);
  const index = path[list.length];
  if (typeof index !== 'number' || !list.every((step, at) => step === path[at])) return partKey;
  return partKeyOf(path.with(list.length, indexAfterMove(index, from, to)));
}

function indexAfterMove(index: number, from: number, to: number): number {
  if (index === from) return to;
  if (from < index && index <= to) return index - 1;
  if (to <= index && index < from) return index + 1;
  return index;
}

/** The part around a part: of a job its stage, of a stage or a material none. */
export function parentPartKey(partKey: string): string {
  const path = pathOf(partKey).slice(0, -2);
  return path.length === 0 ? GENERAL : partKeyOf(path);
}

export interface WithStages {
  readonly stages?: readonly { readonly name: string; readonly jobs: readonly { readonly name: string }[] }[] | null;
}

/** The stage or the job of a name; undefined: there is no such stage. */
export function namedPart({ stages }: WithStages, stage: string, job: string): string | undefined {
  const at = (stages ?? []).findIndex(({ name }) => name === stage);
  const found = stages?.[at];
  if (found === undefined) return undefined;
  const jobAt = found.jobs.findIndex(({ name }) => name === job);
  return partKeyOf(jobAt < 0 ? ['stages', at] : ['stages', at, 'jobs', jobAt]);
}

// The changes between two runs, as the API gives them.
import type { AnswerOf } from '../api/answers.ts';
import { pluralize } from '../kit/text/text.ts';

type WholeComparison = AnswerOf<'GET /api/pipelines/{pipeline_name}/compare/{from_counter}/{to_counter}'>;
export type Comparison = Pick<WholeComparison, 'pipeline_name' | 'is_complete' | 'total' | 'changes' | 'removed_total' | 'removed'>;
/** What came with the later run, or what it took back. */
export type ChangeList = 'changes' | 'removed';
export type MaterialChanges = Comparison['changes'][number];
/** A modification, or a run of a pipeline above. */
type ChangedRevision = MaterialChanges['revision'][number];

/** A modification as it is shown. */
export interface Row {
  readonly revision: string;
  readonly label: string | undefined;
  readonly isRun: boolean;
  readonly author: string | null;
  readonly at: string;
  readonly message: string | null;
}

export function rowOf(one: ChangedRevision): Row {
  if ('revision_sha' in one) {
    const { revision_sha: revision, modified_by: author, modified_at: at, commit_message: message } = one;
    return { revision, label: undefined, isRun: false, author, at, message };
  }
  return { revision: one.revision, label: one.pipeline_label, isRun: true, author: null, at: one.completed_at, message: null };
}

function sizeOf(total: number, materials: readonly MaterialChanges[]): string {
  return `${pluralize(total, 'change')} in ${pluralize(materials.length, 'material')}`;
}

/** Whether going from one run to the other takes these changes away. */
export function isTakenAway(list: ChangeList, from: number, to: number): boolean {
  return (list === 'removed') === from < to;
}

/** The meaning of the changes, in the direction that was asked for. */
export function sentenceOf(comparison: Comparison, from: number, to: number): string {
  if (from === to) return `Run ${to} is compared with itself. Choose another run.`;
  const { is_complete: isComplete, total, changes, removed_total: removedTotal, removed } = comparison;
  if (total === 0 && removedTotal === 0) {
    return isComplete ? `Nothing changed: ${from} and ${to} were made from the same revisions.` : 'Nothing that you may see changed.';
  }
  const [later, taken] = [total > 0 && sizeOf(total, changes), removedTotal > 0 && sizeOf(removedTotal, removed)];
  const [coming, going] = from < to ? [later, taken] : [taken, later];
  const sentences = [
    coming && `${coming} came with ${to} since ${from}.`,
    going && `Going back from ${from} to ${to} takes away ${going}.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

/** Whole numbers above 0 are counters. */
export function counterIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Where the next modifications of a material are; undefined: all are there. */
export function offsetAfter({ total, offset, revision }: MaterialChanges): number | undefined {
  const next = offset + revision.length;
  return next < total ? next : undefined;
}

// What changed between two runs, as the API gives it.
import { counted } from '../kit/text/text.ts';

export interface ChangedRevision {
  readonly revision_sha: string;
  readonly modified_by: string | null;
  readonly modified_at: string;
  readonly commit_message: string | null;
}

/** Of a pipeline above. */
export interface ChangedRun {
  readonly revision: string;
  readonly pipeline_counter: string;
  readonly pipeline_label: string;
  readonly completed_at: string;
}

export interface MaterialChanges {
  readonly material: {
    readonly type: string;
    readonly fingerprint: string;
    readonly attributes: { readonly name: string | null; readonly display_type: string; readonly description: string };
  };
  readonly total: number;
  readonly offset: number;
  readonly revision: readonly (ChangedRevision | ChangedRun)[];
}

export interface Comparison {
  readonly pipeline_name: string;
  readonly is_complete: boolean;
  readonly total: number;
  readonly changes: readonly MaterialChanges[];
}

/** A modification as it is shown. */
export interface Row {
  readonly revision: string;
  readonly label: string | undefined;
  readonly isRun: boolean;
  readonly author: string | null;
  readonly at: string;
  readonly message: string | null;
}

export function rowOf(one: ChangedRevision | ChangedRun): Row {
  if ('revision_sha' in one) {
    const { revision_sha: revision, modified_by: author, modified_at: at, commit_message: message } = one;
    return { revision, label: undefined, isRun: false, author, at, message };
  }
  return { revision: one.revision, label: one.pipeline_label, isRun: true, author: null, at: one.completed_at, message: null };
}

export function sizeOf({ total, changes }: Comparison): string {
  return `${counted(total, 'change')} in ${counted(changes.length, 'material')}`;
}

/** What the changes mean, in the direction that was asked for. */
export function sentenceOf(comparison: Comparison, from: number, to: number): string {
  if (from === to) return `Run ${to} is compared with itself. Choose another run.`;
  if (comparison.total === 0) {
    return comparison.is_complete
      ? `Nothing changed: ${from} and ${to} were made from the same revisions.`
      : 'Nothing that you may see changed.';
  }
  if (from < to) return `${sizeOf(comparison)} came with ${to} since ${from}.`;
  return `Going back from ${from} to ${to} takes away ${sizeOf(comparison)}.`;
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

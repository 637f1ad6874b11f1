// The changes that a request would make, as the dry run of the server returns them, in plain words.
import type { Paint } from '../../terminal/context.ts';
import { type PlannedChange, planText } from '../plan-text.ts';

/** A change that the user may not see has no differences. */
type PreviewedChange = Omit<PlannedChange, 'differences'> & Partial<Pick<PlannedChange, 'differences'>>;

export interface DryRunPlan {
  readonly changes: readonly PreviewedChange[];
  readonly affected: readonly { readonly resource: string; readonly id: string }[];
  /** How many are not listed. */
  readonly more_changes?: number;
}

export function previewText({ changes, affected, more_changes: more = 0 }: DryRunPlan, paint: Paint): string {
  if (changes.length === 0) return 'Nothing would change.\n';
  const whole = changes.map((change) => ({ differences: [], ...change }));
  const further = more > 0 ? `And ${more} more changes.\n` : '';
  return `${planText({ changes: whole, affected, ignored: [] }, paint)}${further}`;
}

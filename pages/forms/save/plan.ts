// The effects of a change, from the answer of the server to a dry run.
import type { DryRunPlan } from '../../api/change-answers.ts';
import { isObject, type Json } from '../../api/json.ts';

const NOTHING: DryRunPlan = { changes: [], affected: [] };

/** Of the answer to a dry run. Without a plan nothing would change. */
export function planIn(answer: Json | undefined): DryRunPlan {
  const plan = isObject(answer) ? answer._plan : undefined;
  return isObject(plan) ? { ...NOTHING, ...(plan as Partial<DryRunPlan>) } : NOTHING;
}

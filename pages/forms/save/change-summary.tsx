// The preview of a change that is not made yet.
import type { DryRunPlan } from '../../api/change-answers.ts';
import { PlanPreview } from '../../kit/diff/plan-preview.tsx';

/** It looks like a list of changes that were made, so it says that they were not. */
export function ChangeSummary({ plan }: { readonly plan: DryRunPlan }) {
  return (
    <section class="plan" aria-label="What will change">
      {plan.changes.length > 0 && (
        <p>
          <strong>Not saved yet.</strong> This will change:
        </p>
      )}
      <PlanPreview plan={plan} />
    </section>
  );
}

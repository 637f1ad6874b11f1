// The result of a preflight: what is wrong with the files, or what they would change.
import { Mistakes } from './mistakes.tsx';
import { effectsText, type PreflightResult } from './preflight.ts';

export function PreflightResultView({
  result: { valid, errors, problems = [], warnings = [], plan },
}: {
  readonly result: PreflightResult;
}) {
  return (
    <section aria-label="Result" role="status">
      <h2>{valid ? 'Nothing is wrong' : 'This would be refused'}</h2>
      {problems.length > 0 ? (
        <Mistakes mistakes={problems} />
      ) : (
        errors.map((error) => (
          <p key={error} class="refusal">
            {error}
          </p>
        ))
      )}
      <Mistakes mistakes={warnings} kind="warning" />
      {plan !== null && plan !== undefined && <PlanOf plan={plan} />}
    </section>
  );
}

function PlanOf({ plan }: { readonly plan: NonNullable<PreflightResult['plan']> }) {
  const sentences = [
    ...effectsText('Pipelines', plan.pipelines),
    ...effectsText('Pipeline groups', plan.pipeline_groups),
    ...effectsText('Environments', plan.environments),
    ...effectsText('SCMs', plan.scms),
  ];
  if (sentences.length === 0) return <p>Nothing would change.</p>;
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

// The result of the check, in a few words; mistakes with their lines.
import { pluralize } from '../kit/text/text.ts';
import type { CheckResult, Mistake } from './document.ts';

interface CheckViewProps {
  readonly isChanged: boolean;
  readonly isChecking: boolean;
  readonly result: CheckResult | undefined;
  readonly onLine: (line: number) => void;
}

/** Limit of listed mistakes: users do not read more at once, and the text marks the others. */
const MAX_MISTAKES = 10;

export function CheckView({ isChanged, isChecking, result, onLine }: CheckViewProps) {
  return (
    <div class="check-result">
      <span role="status">{sentenceOf(isChanged, isChecking, result)}</span>
      {result?.is === 'in conflict' && <p class="refusal">{result.message}</p>}
      {result?.is === 'wrong' && <Mistakes mistakes={result.mistakes} onLine={onLine} />}
    </div>
  );
}

function sentenceOf(isChanged: boolean, isChecking: boolean, result: CheckResult | undefined): string {
  if (!isChanged) return 'Nothing is changed. What you type is checked, and saved only when you say so.';
  if (isChecking || result === undefined) return 'Checking …';
  if (result.is === 'fine') return `No mistakes. ${pluralize(result.plan._plan.changes.length, 'entity', 'entities')} would change.`;
  if (result.is === 'wrong') return `${pluralize(Math.max(1, result.mistakes.length), 'mistake')}.`;
  if (result.is === 'in conflict') return 'Others have changed the same.';
  return `It could not be checked. ${result.message}`;
}

function Mistakes({ mistakes, onLine }: { readonly mistakes: readonly Mistake[]; readonly onLine: (line: number) => void }) {
  return (
    <ul class="mistakes">
      {mistakes.slice(0, MAX_MISTAKES).map(({ line, message }, index) => (
        <li key={index}>
          <button type="button" class="link-button" onClick={() => onLine(line)}>
            line {line}
          </button>{' '}
          {message}
        </li>
      ))}
    </ul>
  );
}

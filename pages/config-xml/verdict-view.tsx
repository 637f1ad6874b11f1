// The verdict of the server on the text, in a few words; mistakes with their lines.
import { pluralize } from '../kit/text/text.ts';
import type { Mistake, Verdict } from './document.ts';

interface VerdictViewProps {
  readonly isChanged: boolean;
  readonly isChecking: boolean;
  readonly verdict: Verdict | undefined;
  readonly onLine: (line: number) => void;
}

/** Limit of listed mistakes: users do not read more at once, and the text marks the others. */
const MAX_MISTAKES = 10;

export function VerdictView({ isChanged, isChecking, verdict, onLine }: VerdictViewProps) {
  return (
    <div class="verdict">
      <span role="status">{sentenceOf(isChanged, isChecking, verdict)}</span>
      {verdict?.is === 'in conflict' && <p class="refusal">{verdict.message}</p>}
      {verdict?.is === 'wrong' && <Mistakes mistakes={verdict.mistakes} onLine={onLine} />}
    </div>
  );
}

function sentenceOf(isChanged: boolean, isChecking: boolean, verdict: Verdict | undefined): string {
  if (!isChanged) return 'Nothing is changed. What you type is checked, and saved only when you say so.';
  if (isChecking || verdict === undefined) return 'Checking …';
  if (verdict.is === 'fine') return `No mistakes. ${pluralize(verdict.plan._plan.changes.length, 'entity', 'entities')} would change.`;
  if (verdict.is === 'wrong') return `${pluralize(Math.max(1, verdict.mistakes.length), 'mistake')}.`;
  if (verdict.is === 'in conflict') return 'Others have changed the same.';
  return `It could not be checked. ${verdict.message}`;
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

// The mistakes in files: the place, the message, and the advice.
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { locationText, type Mistake } from './config-repo.ts';

interface MistakesProps {
  readonly mistakes: readonly Mistake[];
  readonly kind?: 'error' | 'warning';
  /** The config repo whose rules the user may change. */
  readonly changeableRepo?: string | undefined;
}

export function Mistakes({ mistakes, kind = 'error', changeableRepo }: MistakesProps) {
  if (mistakes.length === 0) return null;
  return (
    <ul class={`mistakes is-${kind}`} aria-label={kind === 'error' ? 'Errors' : 'Warnings'}>
      {mistakes.map((mistake) => (
        <li key={`${locationText(mistake)} ${mistake.message}`}>
          {locationText(mistake) !== '' && <code>{locationText(mistake)}</code>}{' '}
          {mistake.entity !== null && <strong>{mistake.entity}</strong>}
          <p>{mistake.message}</p>
          {mistake.hint !== null && <p class="quiet">{mistake.hint}</p>}
          {changeableRepo !== undefined && isAboutRules(mistake) && (
            <Link href={pageOf.editConfigRepo(changeableRepo)}>Edit the rules</Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The rules of the repo do not allow what a file refers to. */
function isAboutRules({ message }: Mistake): boolean {
  return message.startsWith('Not allowed to refer to ');
}

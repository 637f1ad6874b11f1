// The mistakes in files: the place, the message, and the advice.
import { locationText, type Mistake } from './config-repo.ts';

export function Mistakes({ mistakes, kind = 'error' }: { readonly mistakes: readonly Mistake[]; readonly kind?: 'error' | 'warning' }) {
  if (mistakes.length === 0) return null;
  return (
    <ul class={`mistakes is-${kind}`} aria-label={kind === 'error' ? 'Errors' : 'Warnings'}>
      {mistakes.map((mistake) => (
        <li key={`${locationText(mistake)} ${mistake.message}`}>
          {locationText(mistake) !== '' && <code>{locationText(mistake)}</code>}{' '}
          {mistake.entity !== null && <strong>{mistake.entity}</strong>}
          <p>{mistake.message}</p>
          {mistake.hint !== null && <p class="quiet">{mistake.hint}</p>}
        </li>
      ))}
    </ul>
  );
}

// Whether the window is as narrow as a phone. For decisions that style sheets cannot make: how much is drawn at all.
import { signal } from '@preact/signals';

const query = matchMedia('(max-width: 800px)');
export const isNarrow = signal(query.matches);
query.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

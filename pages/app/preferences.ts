// The preferences of the user for this browser: kept there, applied by `appearance.ts` before the next page is drawn.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'dense' | 'comfortable';

const root = document.documentElement;
export const theme = signal<Theme>((root.dataset.theme as Theme | undefined) ?? 'system');
export const density = signal<Density>((root.dataset.density as Density | undefined) ?? 'dense');

export function chooseTheme(next: Theme): void {
  theme.value = next;
  if (next === 'system') delete root.dataset.theme;
  else root.dataset.theme = next;
  keep('theme', next);
}

export function chooseDensity(next: Density): void {
  density.value = next;
  if (next === 'dense') delete root.dataset.density;
  else root.dataset.density = next;
  keep('density', next);
  // Lists measure the height of their rows.
  dispatchEvent(new Event('resize'));
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing for this site: the choice holds until the page is left.
  }
}

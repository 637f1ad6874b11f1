// Where the pages begin.
import { render } from 'preact';
import { loadSession, mayHaveSession } from './api/session.ts';
import { App } from './app/app.tsx';
import { keepFocus } from './app/kept-focus.ts';
import { preloadPage } from './app/routes.tsx';

/** A page whose code takes longer to load is drawn without its content first. */
const MAX_WAIT_MS = 100;

void loadSession();
keepFocus();
// Drawn once, with the content of the page: to draw the frame alone before takes as long as most code takes to load.
if (mayHaveSession()) await Promise.race([preloadPage(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
const root = document.getElementById('app');
if (root !== null) {
  root.textContent = '';
  render(<App />, root);
}

// Where the pages begin.
import { render } from 'preact';
import { loadSession, mayHaveSession } from './api/session.ts';
import { App } from './app/app.tsx';
import { preloadPage } from './app/routes.tsx';

void loadSession();
if (mayHaveSession()) preloadPage();
const root = document.getElementById('app');
if (root !== null) {
  root.textContent = '';
  render(<App />, root);
}

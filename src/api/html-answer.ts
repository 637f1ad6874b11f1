// A page as an answer: nothing in it may load or run anything, or send anything anywhere.
import type { Answer } from './route.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** `styles` says whether the page brings styles of its own. */
export function htmlAnswer(text: string, { styles = false } = {}): Answer {
  return {
    status: 200,
    text,
    bytes: Buffer.byteLength(text),
    type: 'text/html; charset=utf-8',
    headers: ['Content-Security-Policy', styles ? `${POLICY}; style-src 'unsafe-inline'` : POLICY],
  };
}

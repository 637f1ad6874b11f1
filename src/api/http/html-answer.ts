// A page as an answer: nothing in it may load or run anything, or send anything anywhere, unless its own policy says so.
import type { Answer } from '../engine/route.ts';

const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function htmlAnswer(text: string, policy = CLOSED): Answer {
  return {
    status: 200,
    text,
    bytes: Buffer.byteLength(text),
    type: 'text/html; charset=utf-8',
    headers: ['Content-Security-Policy', policy],
  };
}

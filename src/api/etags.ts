// The ETags of answers that have no version of their own: made from what is sent, so that clients can ask whether it is another by now.
import { sha256 } from '../kit/hash.ts';
import type { Answer, Route } from './route.ts';

/** Whether a successful answer of the route has one: all that show something, but not streams of another protocol. */
export function hasEtag({ method, description: { hasEtag: said, response, protocol } }: Route): boolean {
  return said ?? (method === 'GET' && response !== undefined && protocol === undefined);
}

export function withEtag(answer: Answer): Answer {
  const { status, text, etag } = answer;
  return status === 200 && text !== undefined && etag === undefined ? { ...answer, etag: sha256(text) } : answer;
}

// The ETags of answers that have no version of their own: made from the body, so that clients can ask whether it has changed.
import { sha256 } from '../../../kit/bytes/hash.ts';
import type { Answer, Route } from '../../engine/route.ts';

/** Whether a successful answer of the route has one: all that show something, but not streams of another protocol. */
export function hasEtag({ method, description: { hasEtag: declared, response, protocol } }: Route): boolean {
  return declared ?? (method === 'GET' && response !== undefined && protocol === undefined);
}

const LINKS = ['"href":"'];

/**
 * Links count without `base`, the address of the server: behind two names of one server the tag is the same. `before` is what stands in
 * the text before a link: the same address in a configured value is part of the content.
 */
export function etagOfText(text: string, base: string, before: readonly string[] = LINKS): string {
  return sha256(before.reduce((shortened, start) => shortened.replaceAll(`${start}${base}/`, `${start}/`), text));
}

export function withEtag(answer: Answer, request: { readonly base: string }): Answer {
  const { status, text, etag } = answer;
  return status === 200 && text !== undefined && etag === undefined ? { ...answer, etag: etagOfText(text, request.base) } : answer;
}

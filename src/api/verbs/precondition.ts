// If-Match: a write based on an older version must not undo what others did since.
import type { Entry } from '../../config/entry.ts';
import { Refusal } from '../../kit/refusal.ts';
import { namesEtag } from '../../shape/etag.ts';
import type { Kind } from '../../shape/resource.ts';

export function mustBeCurrent(kind: Kind, id: string, { etag }: Entry, ifMatch: string | undefined, isRequired: boolean): void {
  if (ifMatch === undefined ? !isRequired : ifMatch.trim() === '*' || namesEtag(ifMatch, etag)) return;
  throw new Refusal('stale', kind.messages.stale(id));
}

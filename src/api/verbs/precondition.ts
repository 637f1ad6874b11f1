// If-Match: a write based on an older version must not undo what others did since.
import type { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { shownEtag } from '../../config/shown.ts';
import { Refusal } from '../../kit/refusal.ts';
import { namesEtag } from '../../shape/etag.ts';
import type { Kind } from '../../shape/resource.ts';
import type { ApiRequest } from '../route.ts';

/** Where the kind does not ask for If-Match, it still counts when it is sent. */
export function mustBeCurrent(kind: Kind, id: string, entry: Entry, draft: Draft, request: ApiRequest, isRequired: boolean): void {
  const ifMatch = request.header('if-match');
  if (ifMatch === undefined ? !isRequired : ifMatch.trim() === '*' || namesEtag(ifMatch, shownEtag(kind, entry, draft.seen))) return;
  throw new Refusal('stale', kind.messages.stale(id));
}

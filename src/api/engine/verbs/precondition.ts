// If-Match: a write based on an older version must not undo the changes of others since.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { presentedEtag } from '../../../config/presentation.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { namesEtag } from '../../../shape/json/etag.ts';
import { STALE_ENTITY } from '../../../shape/problems/messages.ts';
import type { Kind } from '../../../shape/resource.ts';
import type { ApiRequest } from '../route.ts';

/** The version that a write is based on is not the present one. */
export class StaleWrite extends Refusal {
  constructor(kind: Kind, id: string, data?: unknown) {
    super('stale', kind.messages.stale(id), data === undefined ? {} : { data });
  }
}

/** GoCD answers a PUT without If-Match as if the entity had been modified. Routes that it does not know name the missing header. */
const missing = (where: string) =>
  `${where} is missing. It says which version the change is based on: send the ETag of that version, or * for the current version.`;
const MISSING_HEADER = missing('The header If-Match');

/** For routes that GoCD does not know and that need If-Match. */
export function mustSendIfMatch(request: Pick<ApiRequest, 'header'>): void {
  if (request.header('if-match') === undefined) throw new Refusal('stale', MISSING_HEADER);
}

/** The refusal of an operation of a batch that needs `if_match` and has none. */
export function missingIfMatch(): Refusal {
  return new Refusal('stale', missing('The member `if_match` of this operation'));
}

/** Where the kind does not ask for If-Match, it still counts when it is sent. */
export function checkIfMatch(kind: Kind, id: string, entry: Entry, draft: Draft, request: ApiRequest, isRequired: boolean): void {
  mustMatch(kind, id, entry, draft, request.header('if-match'), isRequired);
}

export function mustMatch(kind: Kind, id: string, entry: Entry, draft: Draft, ifMatch: string | undefined, isRequired: boolean): void {
  if (ifMatch === undefined ? !isRequired : matchesTag(ifMatch, presentedEtag(kind, entry, draft.ruleView))) return;
  throw new StaleWrite(kind, id);
}

/** Checks If-Match for records outside of the configuration. To be called while the mutex of the table is held. */
export function checkIfMatchEtag(request: Pick<ApiRequest, 'header'>, etag: string): void {
  const ifMatch = request.header('if-match');
  if (ifMatch !== undefined && !matchesTag(ifMatch, etag)) throw new Refusal('stale', STALE_ENTITY);
}

export function matchesTag(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || namesEtag(ifMatch, etag);
}

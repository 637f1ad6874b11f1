// Seals the drafts of large texts, such as the configuration as XML: they may hold secrets, so pages leave them with the browser only so.
import { keyOf, type Users } from '../../../access/users/users.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';
import { MAX_TEXT_BYTES, NOT_OPENED, OPEN_DESCRIPTION, SEAL_DESCRIPTION, TOO_LONG } from './docs.ts';
import { type DraftSeal, openDraft, sealDraft } from './draft.ts';

const PATH = '/api/current_user/sealed_drafts';

export function sealedDraftRoutes(seal: DraftSeal, users: Pick<Users, 'mustKnow'>): Route[] {
  const draftOf = (request: ApiRequest) => ({ user: userOf(request, users), form: textIn(request, 'form') });
  return [
    {
      ...route(PATH),
      description: SEAL_DESCRIPTION,
      handle: (request) => {
        const text = textIn(request, 'text');
        if (Buffer.byteLength(text) > MAX_TEXT_BYTES) throw new Refusal('invalid', TOO_LONG);
        return jsonAnswer({ sealed: sealDraft(seal, { ...draftOf(request), text }) });
      },
    },
    {
      ...route(`${PATH}/open`),
      description: OPEN_DESCRIPTION,
      handle: (request) => {
        const text = openDraft(seal, { ...draftOf(request), text: textIn(request, 'sealed') });
        if (text === undefined) throw new Refusal('invalid', NOT_OPENED);
        return jsonAnswer({ text }, { cacheControl: 'no-store' });
      },
    },
  ];
}

function route(path: string): Omit<Route, 'description' | 'handle'> {
  return {
    method: 'POST',
    path,
    version: 1,
    permission: 'user',
    worksInMaintenance: true,
    isRoutine: true,
    isNeverCompressed: true,
  };
}

/** A user who is deleted and added again may be another person, so the name alone is not enough. */
function userOf({ identity }: ApiRequest, users: Pick<Users, 'mustKnow'>): string {
  if (identity.tokenId !== null) throw new Refusal('forbidden', NOT_BY_TOKEN);
  const { loginName, addedAt } = users.mustKnow(identity.loginName);
  return `${keyOf(loginName)} ${addedAt}`;
}

/** The body may hold secrets, so messages do not quote it. */
function textIn({ body }: ApiRequest, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Refusal('invalid', `The body needs the text '${name}'.`);
  return value;
}

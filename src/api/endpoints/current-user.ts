// The user who asks: what the server knows of them, and what they may change themselves.
import type { User, Users } from '../../access/users.ts';
import { sha256 } from '../../kit/hash.ts';
import { type Answer, jsonAnswer, type Route } from '../route.ts';
import { docLink, links } from './links.ts';
import { patchedUser, USER_CHANGE_SCHEMA, USER_SCHEMA, userFields } from './user-json.ts';

export function currentUserRoutes(users: Users): Route[] {
  const description = { chapter: 'current-user', response: USER_SCHEMA, hasEtag: true };
  return [
    {
      method: 'GET',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: { ...description, summary: 'Show the user who asks' },
      handle: ({ identity, base }) => show(users.find(identity.loginName)!, base),
    },
    {
      method: 'PATCH',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: {
        ...description,
        summary: 'Change what the user may change themselves',
        request: { schema: USER_CHANGE_SCHEMA, example: { email: 'jez@example.org', email_me: true, checkin_aliases: ['jez', 'Jez H.'] } },
      },
      handle: async ({ identity, base, body, isDryRun }) => {
        const user = patchedUser(users.find(identity.loginName)!, body);
        if (!isDryRun) await users.save(user);
        return show(user, base);
      },
    },
  ];
}

function show(user: User, base: string): Answer {
  const self = `/api/users/${encodeURIComponent(user.loginName)}`;
  const addresses = { doc: docLink('users'), self, find: '/api/users/:login_name', current_user: '/api/current_user' };
  return jsonAnswer({ _links: links(base, addresses), ...userFields(user) }, { etag: sha256(JSON.stringify(user)) });
}

// The user who asks: their own data, and the fields they may change themselves.
import { newUser, type User, type Users } from '../../../access/users/users.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { objectSchema } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import { withRecordPlan } from '../../engine/record-plan.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { docLink, links } from '../common/links.ts';
import { patchedUser, USER_CHANGES, USER_MEMBERS, userFields } from './json.ts';

const CHANGE = {
  schema: { type: 'object', properties: USER_CHANGES },
  example: { email: 'ada@example.org', email_me: true, checkin_aliases: ['Ada M.', 'ada'] },
};
const SCHEMA = objectSchema(USER_MEMBERS, { title: 'Current user' });
const EXAMPLE = userJson(patchedUser(newUser('admin'), CHANGE.example), EXAMPLE_BASE);

export function currentUserRoutes(users: Users): Route[] {
  const description = { chapter: 'current-user', response: SCHEMA, example: EXAMPLE, hasEtag: true };
  const etagOf = (user: User) => sha256(JSON.stringify(user));
  const show = (user: User, base: string) => jsonAnswer(userJson(user, base), { etag: etagOf(user) });
  return [
    {
      method: 'GET',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: { ...description, summary: 'Show the user who asks' },
      handle: ({ identity, base }) => show(users.mustKnow(identity.loginName), base),
    },
    {
      method: 'PATCH',
      path: '/api/current_user',
      version: 1,
      permission: 'user',
      description: {
        ...description,
        summary: 'Change what the user may change themselves',
        request: CHANGE,
        ifMatch: 'optional',
        failures: { 400: { when: 'The body is not JSON, or a change is not acceptable.' }, 412: STALE_RECORD },
      },
      handle: async (request) => {
        const changed = () => {
          const user = users.mustKnow(request.identity.loginName);
          checkIfMatchEtag(request, etagOf(user));
          return patchedUser(user, request.body);
        };
        const [user] = await users.change(() => [changed()], { dryRun: request.isDryRun });
        const { base, identity } = request;
        return withRecordPlan(show(user, base), request, () => {
          const before = userJson(users.mustKnow(identity.loginName), base);
          return [{ resource: 'users', title: 'User', id: user.loginName, before, after: userJson(user, base) }];
        });
      },
    },
  ];
}

function userJson(user: User, base: string): JsonOut {
  const self = `/api/users/${encodeURIComponent(user.loginName)}`;
  const addresses = { doc: docLink('users'), self, find: '/api/users/:login_name', current_user: '/api/current_user' };
  return { _links: links(base, addresses), ...userFields(user) };
}

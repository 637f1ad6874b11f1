// Texts of the routes for the sessions of all users: for their answers, and for the documentation.
import { described, embeddedSchema, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';
import { EXAMPLE_ID, exampleSession, ONE_ENDED, SESSION_MEMBERS } from './docs.ts';
import { allSessionsJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const ALL_OF_USER_ENDED = 'All sessions of the user have ended.';
export const NO_USER_NAMED = 'The query parameter `login_name` must say whose sessions end.';
export const noSuchSession = (id: string) => `There is no session with the id '${id}'.`;

const noTokens = {
  callers: 'administrators, but not with an access token',
  failures: {
    403: { when: 'Asked with an access token, or by a user who is no system administrator.', example: { message: NOT_BY_TOKEN } },
  },
};

export const ALL_SESSIONS = {
  list: {
    ...noTokens,
    summary: 'List the sessions of all users, newest first',
    query: { login_name: described(TEXT, 'Only sessions of this user.') },
    response: embeddedSchema('sessions', objectSchema({ login_name: described(TEXT, 'The login name of the user.'), ...SESSION_MEMBERS })),
    example: allSessionsJson([{ ...exampleSession(), loginName: 'admin' }], EXAMPLE_BASE),
  },
  endOfUser: {
    ...noTokens,
    summary: 'End all sessions of a user',
    details: 'Access tokens of the user keep working, and the user can log in again. To keep the user out, disable the user.',
    query: { login_name: { ...described(TEXT, 'The user whose sessions end. Required.'), example: 'admin' } },
    response: MESSAGE,
    example: { message: ALL_OF_USER_ENDED },
    failures: { ...noTokens.failures, 400: { when: '`login_name` is missing.', example: { message: NO_USER_NAMED } } },
  },
  endOne: {
    ...noTokens,
    summary: 'End a session of any user',
    parameters: { id: { description: 'The id of the session.', example: EXAMPLE_ID } },
    response: MESSAGE,
    example: { message: ONE_ENDED },
    failures: { ...noTokens.failures, 404: { example: { message: noSuchSession('unknown') } } },
  },
} satisfies Readonly<Record<string, Description>>;

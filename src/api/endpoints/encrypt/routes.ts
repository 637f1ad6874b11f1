// Encrypts a text for use in configuration, with a rate limit for each user: the key is not for general use.
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { RateLimit } from '../../../kit/concurrency/limits/rate-limit.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { missing, readText } from '../../../shape/json/reading.ts';
import { described, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { encryptFor } from '../../../shape/secrets/secret-writer.ts';
import { EXAMPLE_BASE, EXAMPLE_BOUND_TEXT } from '../../engine/answer-example.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { destinationIn, SCOPE_SCHEMAS, scopeIn } from './scope.ts';

const MAX_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const PATH = '/api/admin/encrypt';
const TOO_MANY = 'Rate Limit Exceeded.';

export function encryptRoute(cipher: Cipher): Route {
  const limit = allowances();
  return {
    method: 'POST',
    path: PATH,
    version: 1,
    permission: 'anyAdmin',
    description: {
      chapter: 'encryption',
      summary: 'Encrypt a text for use in configuration',
      details:
        'Without `scope` the cipher text opens wherever it is put. For files of a config repo give a scope: a user who can read the file cannot use the text anywhere else. What other answers show as `encrypted_…` opens only in the field that shows it.',
      request: {
        schema: objectSchema({ value: { ...TEXT, writeOnly: true, description: 'The secret in clear.' } }, { others: SCOPE_SCHEMAS }),
        example: { value: 'badger', scope: { config_repo: 'team-a' } },
      },
      response: objectSchema({ _links: LINKS, encrypted_value: described(TEXT, 'The secret, encrypted for this server.') }),
      example: encryptedJson(EXAMPLE_BOUND_TEXT, EXAMPLE_BASE),
      answerHeaders: { 'X-RateLimit-Limit': { type: 'integer' }, 'X-RateLimit-Remaining': { type: 'integer' } },
      changes: 'nothing',
      failures: {
        422: {
          when: 'There is no value, or the scope or the address cannot be understood.',
          example: { message: "Json `{}` does not contain property 'value'" },
        },
        429: { when: `More than ${MAX_PER_MINUTE} requests of one user in a minute.`, example: { message: TOO_MANY } },
      },
    },
    before: ({ identity }) => {
      const remaining = limit.left(identity.loginName);
      const headers = ['X-RateLimit-Limit', String(MAX_PER_MINUTE), 'X-RateLimit-Remaining', String(remaining)];
      if (remaining === 0) throw new Refusal('tooMany', TOO_MANY, { retryAfter: 60, headers });
      limit.note(identity.loginName);
      return headers;
    },
    handle: ({ body, base }) => {
      const problems: Problem[] = [];
      const place = { holder: masked(body), path: [], reading: plainReading(problems) };
      const before = problems.length;
      const value = readText(place, 'value');
      if (value === undefined && problems.length === before) missing(place, 'value');
      if (problems[0]) throw new Refusal('invalid', problems[0].message);
      return jsonAnswer(encryptedJson(encryptFor(cipher, value ?? '', scopeIn(body), destinationIn(body)), base));
    },
  };
}

/** A member of any name may be the text to encrypt: messages do not quote it. That goes for `value` everywhere. */
function masked(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, name === 'value' ? member : '***']));
}

function encryptedJson(cipherText: string, base: string): JsonOut {
  return { _links: links(base, { doc: docLink('encryption'), self: PATH }), encrypted_value: cipherText };
}

/** By login name; those of all users are refilled each minute. */
function allowances(): RateLimit {
  const windowStart = (now: number) => now - (now % MINUTE_MS);
  return new RateLimit({ now: () => Date.now() }, { max: MAX_PER_MINUTE, windowMs: MINUTE_MS, windowStart });
}

// Outgoing webhooks: receivers that are notified of events.

import { matchesWildcard } from '../../kit/text/wildcard.ts';
import { maskUrl } from '../../materials/types/attributes/url.ts';
import { EVENT_TYPES } from '../../shape/event-types.ts';
import type { Field } from '../../shape/field.ts';
import { flag, identifier, text, texts } from '../../shape/fields.ts';
import { knownMembersOnly } from '../../shape/json/known-members-only.ts';
import { messagesOf } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { collection } from '../../shape/resource.ts';
import { originOf } from '../../shape/secrets/destination.ts';
import { secretText } from '../../shape/secrets/secret-text.ts';

const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 255;
const MAX_URL_LENGTH = 2000;
const EXAMPLE_URL = 'https://example.org/hook';
const NO_SECRET = 'A webhook needs a secret: its deliveries are signed with it.';

const MIN_SECRET_LENGTH = 6;
const SHORT_SECRET = `The secret must have at least ${MIN_SECRET_LENGTH} characters: an attacker who guesses it can sign in the name of this server.`;

interface Filter {
  readonly types: readonly string[];
  readonly actors: readonly string[];
  readonly resources: readonly string[];
  readonly ids: readonly string[];
}

/** One with a password is refused, and the refusal does not repeat it. */
const url: Field<string> = {
  ...text({
    format: 'uri',
    description: 'The address of the receiver, with `http` or `https`. Administrators can see it, so it should not contain secrets.',
  }),
  write: (value, name, out) => {
    out[name] = whyNoReceiver(value) === undefined ? value : maskUrl(value);
  },
};

export const outgoingWebhooks = collection({
  title: 'Outgoing webhook',
  about:
    'A receiver of events: each event is sent to it as a signed POST, in order, and repeated until the answer has a status from 200 to 299.',
  path: '/api/admin/webhooks',
  version: 1,
  permission: 'admin',
  doc: 'outgoing-webhooks',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'webhooks',
  id: 'id',
  idParameter: 'id',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    url,
    secret: secretText({
      both: 'You may only specify `secret` or `encrypted_secret`, not both!',
      undecryptable: 'Encrypted value for secret is invalid. This usually happens when the cipher text is invalid.',
      sentTo: (member) => originOf(member('url')),
      weakness: (plain) => (plain.length < MIN_SECRET_LENGTH ? SHORT_SECRET : undefined),
    }),
    filter: knownMembersOnly(
      {
        types: texts({
          label: 'Types of events',
          choices: EVENT_TYPES,
          description: 'Types of events, with `*` and `?` as wildcards, such as `backup.*`. Empty: all.',
        }),
        actors: texts({ label: 'Who did it', description: 'The users who caused the event. Empty: all users and the server.' }),
        resources: texts({
          label: 'About',
          description: 'The kinds of things that the event is about, as in addresses: `environments`. Empty: all.',
        }),
        ids: texts({ description: 'Their ids. Empty: all.' }),
      },
      { description: 'Which events are sent: those that match all of these.' },
    ),
    enabled: flag(true, { description: 'Whether events are sent. Otherwise they wait.' }),
  },
  rules: [
    ({ url }) => urlProblems(url),
    ({ secret }) => problemUnless(secret !== null, 'secret', NO_SECRET),
    ({ filter }) => filterProblems(filter),
  ],
  messages: {
    ...messagesOf({ entity: 'outgoing webhook', by: 'id', short: 'webhook', tag: 'webhook' }),
    duplicateId: (id) => `Webhook ids should be unique. Webhook with id '${id}' already exists.`,
  },
  example: {
    id: 'chat',
    url: 'https://chat.example.org/hooks/slipway',
    secret: 'example-secret-of-the-hook',
    filter: { types: ['configuration.changed', 'backup.*'], actors: [], resources: [], ids: [] },
    enabled: true,
  },
});

function urlProblems(url: string): Problem[] {
  const why = whyNoReceiver(url);
  return problemUnless(why === undefined, 'url', why ?? '');
}

function whyNoReceiver(url: string): string | undefined {
  if (url.trim() === '') return `A webhook needs a url to send to, such as ${EXAMPLE_URL}.`;
  if (url.length > MAX_URL_LENGTH) return `The url must have at most ${MAX_URL_LENGTH} characters; this one has ${url.length}.`;
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol === undefined) return `The url is not an address such as ${EXAMPLE_URL}.`;
  if (protocol !== 'http:' && protocol !== 'https:') return `The url must begin with https:// or http://, and not with ${protocol}.`;
  if (username !== '' || password !== '') return 'The url must not hold a user or a password: it is shown. Deliveries are signed instead.';
  return undefined;
}

function filterProblems(filter: Filter): Problem[] {
  return (Object.keys(filter) as (keyof Filter)[]).flatMap((name) => {
    const patterns = filter[name];
    const fits = patterns.length <= MAX_PATTERNS && patterns.every((pattern) => pattern !== '' && pattern.length <= MAX_PATTERN_LENGTH);
    const unknown = name === 'types' ? patterns.find((pattern) => !matchesEventType(pattern)) : undefined;
    return [
      ...problemUnless(fits, ['filter', name], `At most ${MAX_PATTERNS} entries of 1 to ${MAX_PATTERN_LENGTH} characters.`),
      ...problemUnless(
        unknown === undefined,
        ['filter', name],
        `There are no events of the type '${unknown}'. Known are ${Object.keys(EVENT_TYPES).join(', ')}.`,
      ),
    ];
  });
}

function matchesEventType(pattern: string): boolean {
  return Object.keys(EVENT_TYPES).some((type) => matchesWildcard(pattern, type));
}

// The messages and the documentation of the routes about deliveries of outgoing webhooks.

import { described, embedded, FLAG, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { MAX_DELIVERIES } from '../../../store/webhook-queues.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { deliveriesJson, outcomeJson, queueJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const DEFAULT_PAGE = 50;
const NOT_A_NUMBER = 'must be the number of an event, or the number after the last one';
export const badFrom = (last: number): string => `The member 'from' ${NOT_A_NUMBER}: 1 to ${last + 1}.`;

const COUNT = { type: 'integer' };
const MAYBE_COUNT = { type: ['integer', 'null'] };
const QUEUE = objectSchema(
  {
    position: { ...COUNT, description: 'The number of the last event that was delivered, or that its filter left out.' },
    behind: { ...COUNT, description: 'How many events that pass its filter have still to be delivered.' },
    uncounted: {
      ...COUNT,
      description:
        'How many further events have not been checked by its filter yet: all after the next 5,000. Some of them may have to be delivered, too.',
    },
    failures: { ...COUNT, description: 'How many attempts have failed in a row.' },
    failing_since: described(MAYBE_TIME, 'Since when attempts fail; null: the last one succeeded.'),
    last_error: described(MAYBE_TEXT, 'Why the last attempt failed.'),
    delivered_at: { ...MAYBE_TIME, description: 'When the last event was delivered.' },
  },
  { title: 'Queue of a webhook' },
);
const DELIVERY = objectSchema(
  {
    id: described(COUNT, 'Its id, which grows with every attempt.'),
    event: { ...COUNT, description: 'The number of the event.' },
    type: described(TEXT, 'The type of the event.'),
    attempt: { ...COUNT, description: 'The number of the attempt: 1, 2, 3 …' },
    time: described(TIME, 'When the attempt was made.'),
    milliseconds: described(COUNT, 'How long it took.'),
    status: { ...MAYBE_COUNT, description: 'The status of the answer; null: there was no answer.' },
    error: { ...MAYBE_TEXT, description: 'Why it does not count as delivered; null: it was delivered.' },
  },
  { title: 'Delivery of an event' },
);
const OUTCOME = objectSchema(
  {
    is_delivered: described(FLAG, 'Whether the receiver answered with a status from 200 to 299.'),
    status: described(MAYBE_COUNT, 'The status of the answer; null: there was no answer.'),
    error: described(MAYBE_TEXT, 'Why it does not count as delivered.'),
    milliseconds: described(COUNT, 'How long it took.'),
  },
  { title: 'Outcome of a test delivery' },
);

const ID = 'chat';
const EXAMPLE = {
  id: ID,
  backlog: { waiting: 0, uncounted: 0 },
  queue: { id: 1, webhook: ID, position: 4711, failures: 0, failing_since: null, last_error: null, delivered_at: EXAMPLE_TIME },
};
const DELIVERED = {
  id: 9,
  queue_id: 1,
  event: 4711,
  type: 'backup.ended',
  attempt: 1,
  time: EXAMPLE_TIME,
  milliseconds: 12,
  status: 204,
  error: null,
};
const parameters = { id: { description: 'The `id` of the webhook.', example: ID } };
const unknown = { 404: { when: 'There is no such webhook.', example: { message: "Outgoing webhook with id 'gone' was not found!" } } };

export const DELIVERIES: Description = {
  summary: 'List the deliveries of a webhook',
  details: `The last ${MAX_DELIVERIES} attempts, newest first, and the state of its queue.`,
  parameters,
  query: {
    page_size: { ...COUNT, minimum: 1, maximum: MAX_DELIVERIES, default: DEFAULT_PAGE, description: 'The maximum number of deliveries.' },
    cursor: { ...COUNT, minimum: 0, description: 'Only those before this id, as in the link `next`.' },
  },
  response: objectSchema({
    _links: LINKS,
    queue: described(QUEUE, 'What is still to be delivered.'),
    _embedded: embedded({ deliveries: { type: 'array', items: DELIVERY, description: 'The deliveries, newest first.' } }),
  }),
  example: deliveriesJson(EXAMPLE, [DELIVERED], EXAMPLE_BASE, undefined),
  failures: { ...unknown, 400: { when: 'A query parameter is not a number in its range.' } },
};

export const REPLAY: Description = {
  summary: 'Deliver events again, from a number on',
  details:
    'This starts at once, also when the webhook is waiting after a failure. With the number after the last event, everything that is waiting is dropped, and delivery continues with the next event.',
  parameters,
  request: {
    schema: objectSchema({ from: { ...COUNT, minimum: 1, description: 'The number of the first event to deliver.' } }),
    example: { from: 1 },
  },
  response: objectSchema({ queue: described(QUEUE, 'What is still to be delivered.') }),
  example: { queue: queueJson({ queue: { ...EXAMPLE.queue, position: 0 }, backlog: { waiting: 4711, uncounted: 0 } }) },
  failures: { ...unknown, 422: { when: 'There is no event with that number, and it is not the next number either.' } },
};

export const TRY: Description = {
  summary: 'Test a webhook',
  details:
    'Sends an event with the number 0 and the type `webhook.test`, signed like any event, also when the webhook is disabled. A dry run sends nothing, and `error` says so.',
  parameters,
  headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' } },
  response: OUTCOME,
  example: outcomeJson({ status: 204, error: undefined, milliseconds: 12 }),
  changes: 'nothing',
  failures: { ...unknown, 400: { when: 'The confirm header is missing.' } },
};

// The messages and the documentation of the routes about deliveries of outgoing webhooks.

import { described, embedded, FLAG, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { MAX_DELIVERIES } from '../../../store/webhook-queues.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { deliveriesJson, outcomeJson, queueJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const DEFAULT_PAGE = 50;
export const NOT_A_NUMBER = 'must be the number of an event, or the number after the last one';
export const badFrom = (last: number): string => `The member 'from' ${NOT_A_NUMBER}: 1 to ${last + 1}.`;

const COUNT = { type: 'integer' };
const MAYBE_COUNT = { type: ['integer', 'null'] };
const QUEUE = objectSchema(
  {
    position: { ...COUNT, description: 'The number of the last event that was delivered, or was not wanted.' },
    behind: { ...COUNT, description: 'How many events that its filter wants have still to be delivered.' },
    uncounted: {
      ...COUNT,
      description:
        'How many further events have not been checked yet, and may have to be delivered, too: with a filter, all after the next 5,000.',
    },
    failures: { ...COUNT, description: 'In a row.' },
    failing_since: described(MAYBE_TIME, 'Since when; null: the last one was delivered.'),
    last_error: described(MAYBE_TEXT, 'Why the last try failed.'),
    delivered_at: { ...MAYBE_TIME, description: 'When the last one was delivered.' },
  },
  { title: 'Queue of a webhook' },
);
const DELIVERY = objectSchema(
  {
    id: described(COUNT, 'Grows with every try.'),
    event: { ...COUNT, description: 'The number of the event.' },
    type: described(TEXT, 'The type of the event.'),
    attempt: { ...COUNT, description: '1, 2, 3 … until it is delivered.' },
    time: described(TIME, 'When it was tried.'),
    milliseconds: described(COUNT, 'How long it took.'),
    status: { ...MAYBE_COUNT, description: 'What the receiver answered; null: nothing.' },
    error: { ...MAYBE_TEXT, description: 'Why it does not count as delivered; null: it does.' },
  },
  { title: 'Delivery of an event' },
);
const OUTCOME = objectSchema(
  {
    is_delivered: described(FLAG, 'Whether the receiver answered with a status from 200 to 299.'),
    status: described(MAYBE_COUNT, 'What the receiver answered; null: nothing.'),
    error: described(MAYBE_TEXT, 'Why it does not count as delivered.'),
    milliseconds: described(COUNT, 'How long it took.'),
  },
  { title: 'Outcome of a try' },
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
  summary: 'What became of the deliveries of a webhook',
  details: `The last ${MAX_DELIVERIES} attempts, the newest first, and how far the webhook is.`,
  parameters,
  query: {
    page_size: { ...COUNT, minimum: 1, maximum: MAX_DELIVERIES, default: DEFAULT_PAGE, description: 'How many at most.' },
    cursor: { ...COUNT, minimum: 0, description: 'Only those before this id; the link `next` has it.' },
  },
  response: objectSchema({
    _links: LINKS,
    queue: described(QUEUE, 'What is still to be delivered.'),
    _embedded: embedded({ deliveries: { type: 'array', items: DELIVERY, description: 'The newest first.' } }),
  }),
  example: deliveriesJson(EXAMPLE, [DELIVERED], EXAMPLE_BASE, undefined),
  failures: { ...unknown, 400: { when: 'A query parameter is not a number in its range.' } },
};

export const REPLAY: Description = {
  summary: 'Deliver the events from a number on, once more',
  details:
    'At once, also when the webhook waits after a failure. With the number after the last event, what waits is given up, and it goes on with the next event.',
  parameters,
  request: {
    schema: objectSchema({ from: { ...COUNT, minimum: 1, description: 'The number of the first event to deliver.' } }),
    example: { from: 1 },
  },
  response: objectSchema({ queue: described(QUEUE, 'What is still to be delivered.') }),
  example: { queue: queueJson({ queue: { ...EXAMPLE.queue, position: 0 }, backlog: { waiting: 4711, uncounted: 0 } }) },
  failures: { ...unknown, 422: { when: 'There is no event of that number, and it is not the next one either.' } },
};

export const TRY: Description = {
  summary: 'Send something to a webhook to try it out',
  details:
    'It has the form of an event with the number 0 and the type `webhook.test`, is signed like one, and is sent also when the webhook is disabled. A dry run sends nothing, and says so as `error`.',
  parameters,
  headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed when there is no body; `true`.' } },
  response: OUTCOME,
  example: outcomeJson({ status: 204, error: undefined, milliseconds: 12 }),
  changes: 'nothing',
  failures: { ...unknown, 400: { when: 'The confirm header is missing.' } },
};

// Events as the API gives them, and the filters for them.
import type { AnswerOf, ListItem } from '../api/answers.ts';
import { COMMAND } from '../kit/own-commands.ts';

export const EVENTS_ADDRESS = '/api/admin/events';
export const EVENTS_VERSION = 1;
const PAGE_SIZE = 100;

type EventsOperation = 'GET /api/admin/events';
export type EventList = AnswerOf<EventsOperation>;
export type ServerEvent = ListItem<EventsOperation, 'events'>;

export interface EventFilter {
  readonly type: string;
  readonly actor: string;
  readonly resource: string;
  readonly id: string;
}

/** The types of events to choose from; the address may hold any other pattern. */
export const TYPES = {
  '': 'Everything',
  'configuration.*': 'Changes of the configuration',
  'login.*': 'Failed logins',
  'access_token.*': 'Access tokens',
  'service_account.*': 'Service accounts',
  'run.*': 'Runs',
  'stage.*': 'Stages',
  'job.*': 'Jobs',
  'pipeline.*': 'Pipelines paused, unlocked',
  'agent.*': 'Agents',
  'material.*': 'Materials that fail, or work again',
  'config_repo.*': 'Config repos',
  'artifacts.*': 'Artifacts',
  'backup.*': 'Backups',
  'maintenance_mode.*': 'Maintenance mode',
  'revision.*': 'Names of revisions',
} as const;

export function choicesWith(type: string): Readonly<Record<string, string>> {
  return type in TYPES ? TYPES : { ...TYPES, [type]: type };
}

/** The part of the address that filters: the same for pages of events and for the stream. */
export function queryOf(filter: EventFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, pattern]) => pattern !== ''));
}

export function firstPage(filter: EventFilter): string {
  const query = queryOf(filter);
  query.set('page_size', String(PAGE_SIZE));
  return `${EVENTS_ADDRESS}?${query}`;
}

/** The address of a page that holds only this event. */
export function pageWith(number: number): string {
  return `${EVENTS_ADDRESS}?cursor=${number + 1}&page_size=1`;
}

const MAX_SUBJECTS = 3;

/** The subjects of an event, in a line. */
export function aboutText({ about }: ServerEvent): string {
  const named = about
    .slice(0, MAX_SUBJECTS)
    .map(({ resource, id, operation }) =>
      [operation, resource.replaceAll('_', ' '), id].filter((part) => part !== undefined && part !== '').join(' '),
    );
  return [...named, ...(about.length > MAX_SUBJECTS ? [`${about.length - MAX_SUBJECTS} more`] : [])].join(', ');
}

/** Checks on the machine of the server that all events up to this one are as they were. */
export function verifyCommand({ number, hash }: Pick<ServerEvent, 'number' | 'hash'>): string {
  return `${COMMAND} audit verify --data-dir data --expect ${number}:${hash}`;
}

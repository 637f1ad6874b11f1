// Pages of lists that are read from the newest on: which one is asked for, and where the next ones are.
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import type { Cursor, CursorPage } from '../../../store/builds/cursor-page.ts';
import { links } from '../common/links.ts';

export const MIN_ON_PAGE = 10;
const MAX_ON_PAGE = 100;

export interface WantedPage {
  readonly cursor: Cursor;
  readonly size: number;
}

export function wantedPage(query: URLSearchParams): WantedPage {
  const size = wholeNumberIn(query, 'page_size') ?? MIN_ON_PAGE;
  if (!(size >= MIN_ON_PAGE && size <= MAX_ON_PAGE))
    throw new Refusal(
      'malformed',
      `The query parameter 'page_size', if specified must be a number between ${MIN_ON_PAGE} and ${MAX_ON_PAGE}.`,
    );
  const [after, before] = [cursorIn(query, 'after'), cursorIn(query, 'before')];
  if (after !== undefined) return { cursor: { after }, size };
  return { cursor: before === undefined ? {} : { before }, size };
}

/** Undefined: it is not given. 0 is no id: public clients send it for the first page. */
export function cursorIn(query: URLSearchParams, name: 'after' | 'before'): number | undefined {
  const id = wholeNumberIn(query, name);
  if (Number.isNaN(id)) throw new Refusal('malformed', `The query parameter '${name}', if specified, must be a positive integer.`);
  return id || undefined;
}

/** Undefined: it is not given. NaN: it is something else. */
function wholeNumberIn(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  return Number.isSafeInteger(number) ? number : Number.NaN;
}

/** `idOf`: the id that orders the list. */
export function pageLinks<T>(base: string, path: string, page: CursorPage<T>, size: number, idOf: (item: T) => number): JsonOut {
  const [newest, oldest] = [page.items[0], page.items.at(-1)];
  const sized = size === MIN_ON_PAGE ? '' : `&page_size=${size}`;
  return links(base, {
    ...(page.hasOlder && oldest !== undefined && { next: `${path}?after=${idOf(oldest)}${sized}` }),
    ...(page.hasNewer && newest !== undefined && { previous: `${path}?before=${idOf(newest)}${sized}` }),
  });
}

export const PAGE_QUERY: Readonly<Record<string, JsonSchema>> = {
  after: {
    type: 'integer',
    minimum: 0,
    description: 'Only older ones than the one with this id; `_links.next` has it. 0: from the newest on.',
  },
  before: {
    type: 'integer',
    minimum: 0,
    description: 'Only newer ones than the one with this id; `_links.previous` has it. 0: from the newest on.',
  },
  page_size: {
    type: 'integer',
    minimum: MIN_ON_PAGE,
    maximum: MAX_ON_PAGE,
    default: MIN_ON_PAGE,
    description: 'How many there are on a page.',
  },
};

export const PAGE_LINKS: JsonSchema = {
  type: 'object',
  description: 'Where older ones are (`next`), and newer ones (`previous`), if there are any.',
  additionalProperties: {
    type: 'object',
    required: ['href'],
    properties: { href: { type: 'string', description: 'The address.' } },
  },
};

export const PAGE_FAILURES = {
  400: { when: 'A query parameter is not a whole number in its range.' },
};

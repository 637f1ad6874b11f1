// Pages of lists that are read from the newest on: which one is asked for, and where the next ones are.
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import type { Cursor, CursorPage } from '../../../store/builds/cursor-page.ts';
import { links } from '../common/links.ts';
import { numberIn } from '../common/number-in.ts';

export const MIN_ON_PAGE = 10;
export const MAX_ON_PAGE = 100;
const ANY = { min: 0, max: Number.MAX_SAFE_INTEGER };

export interface WantedPage {
  readonly cursor: Cursor;
  readonly size: number;
}

export function wantedPage(query: URLSearchParams): WantedPage {
  const size = numberIn(query, 'page_size', { min: MIN_ON_PAGE, max: MAX_ON_PAGE }) ?? MIN_ON_PAGE;
  // 0 is no id: public clients send it for the first page.
  const [after, before] = [numberIn(query, 'after', ANY) || undefined, numberIn(query, 'before', ANY) || undefined];
  if (after !== undefined) return { cursor: { after }, size };
  return { cursor: before === undefined ? {} : { before }, size };
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

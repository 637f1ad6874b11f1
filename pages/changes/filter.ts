// Which revisions are listed.
import { REVISIONS_ADDRESS } from './revision.ts';

export const FILTERS = ['text', 'resource', 'actor', 'since', 'until'] as const;
export type FilterName = (typeof FILTERS)[number];
/** Empty texts: not filtered by this. */
export type Filter = Readonly<Record<FilterName, string>>;

const DAY = /^\d{4}-\d\d-\d\d$/;

export function isFiltered(filter: Filter): boolean {
  return FILTERS.some((name) => filter[name] !== '');
}

export function addressOfList(filter: Filter): string {
  const query = new URLSearchParams();
  for (const name of FILTERS) if (filter[name] !== '') query.set(name, sentFor(name, filter[name]));
  return query.size === 0 ? REVISIONS_ADDRESS : `${REVISIONS_ADDRESS}?${query}`;
}

/** Days are in the time zone of the browser, and the last one counts as a whole. The server would take them for days in UTC. */
function sentFor(name: FilterName, value: string): string {
  if (!DAY.test(value) || (name !== 'since' && name !== 'until')) return value;
  const moment = new Date(`${value}T${name === 'since' ? '00:00:00' : '23:59:59.999'}`);
  return Number.isNaN(moment.getTime()) ? value : moment.toISOString();
}

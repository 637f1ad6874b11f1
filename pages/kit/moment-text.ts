// A moment of the past, as a revision or a time: parsed from typed text, shown to people, and put into `?at=` of an address.
import { formatOf } from './text/date-format.ts';

const FORMAT = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** `revision 42`, `Tuesday, 17 November 2026 at 14:00`. */
export function momentLabel(at: string): string {
  if (/^\d+$/.test(at)) return `revision ${at}`;
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : formatOf(FORMAT).format(time);
}

/** Parses typed text: the number of a revision, or the value of a field for date and time. Undefined: neither. */
export function parseMoment(typed: string): string | undefined {
  const text = typed.trim();
  if (/^\d{1,15}$/.test(text)) return text;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** An address of the API or of a page, at this moment. */
export function addressAt(address: string, at: string | undefined): string {
  if (at === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(at)}`;
}

// Moments of the past as `?at=` names them, and as people read them.

const momentFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `revision 42`, `Tuesday, 17 November 2026 at 14:00`. */
export function atText(at: string): string {
  if (/^\d+$/.test(at)) return `revision ${at}`;
  const moment = Date.parse(at);
  return Number.isNaN(moment) ? at : momentFormat.format(moment);
}

/** Parses typed text: the number of a revision, or the value of a field for date and time. Undefined: neither. */
export function atIn(typed: string): string | undefined {
  const text = typed.trim();
  if (/^\d{1,15}$/.test(text)) return text;
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

/** An address of the API or of a page, as of then. */
export function addressAt(address: string, at: string | undefined): string {
  if (at === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(at)}`;
}

// Dates in answers: they have no fractions of seconds.

/** A text is a date as the server writes it. */
export function dateOf(time: Date | number | string): string;
export function dateOf(time: string | null): string | null;
export function dateOf(time: Date | number | string | null): string | null {
  if (time === null) return null;
  return (typeof time === 'string' ? time : new Date(time).toISOString()).replace(/\.\d+/, '');
}

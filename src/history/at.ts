// The moment that `?at=` names: a revision, or a time.

export type Moment = { readonly revision: number } | { readonly time: string };

const REVISION = /^\d{1,15}$/;
/** A day, or a time with its zone. In addresses a plus may have become a blank. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d\d:?\d\d))?$/i;

/** Undefined: it is neither. */
export function momentOf(at: string): Moment | undefined {
  if (REVISION.test(at)) return { revision: Number(at) };
  const time = timeOf(at);
  return time === undefined ? undefined : { time };
}

/** In the one form that times have in the change log; a day begins at midnight in UTC. */
export function timeOf(text: string): string | undefined {
  if (!TIME.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const time = new Date(
    text
      .toUpperCase()
      .replace(' ', '+')
      .replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
  );
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The 31st of February would be taken for a day in March. */
function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

// Times relative to now: how long ago something was, with the exact time in the tooltip, and how long something has taken so far.
import { dateTimeText, durationText, now, relativeTimeText } from './time.ts';

/** `at`: milliseconds since 1970, or a date and time as text. */
export function RelativeTime({ at }: { readonly at: number | string | null | undefined }) {
  const time = parseTime(at);
  if (time === undefined) return null;
  return (
    <time dateTime={new Date(time).toISOString()} onMouseEnter={({ currentTarget }) => (currentTarget.title = dateTimeText(time))}>
      {relativeTimeText(time, now.value)}
    </time>
  );
}

/** How long something took; without an end, how long it has taken so far. */
export function Duration({ from, to }: { readonly from: number | string | null | undefined; readonly to?: number | string | null }) {
  const start = parseTime(from);
  if (start === undefined) return null;
  const end = parseTime(to) ?? now.value;
  return <span class="number">{durationText(Math.max(0, end - start))}</span>;
}

function parseTime(at: number | string | null | undefined): number | undefined {
  if (at === null || at === undefined || at === '') return undefined;
  const time = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(time) ? undefined : time;
}

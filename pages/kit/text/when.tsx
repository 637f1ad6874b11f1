// A moment: how long ago, and exactly on the tooltip.
import { agoText, durationText, momentText, now } from './time.ts';

/** `at`: milliseconds since 1970, or the text of a moment. */
export function When({ at }: { readonly at: number | string | null | undefined }) {
  const moment = momentOf(at);
  if (moment === undefined) return null;
  return (
    <time dateTime={new Date(moment).toISOString()} onMouseEnter={({ currentTarget }) => (currentTarget.title = momentText(moment))}>
      {agoText(moment, now.value)}
    </time>
  );
}

/** How long something took, or takes already where it has no end. */
export function Duration({ from, to }: { readonly from: number | string | null | undefined; readonly to?: number | string | null }) {
  const start = momentOf(from);
  if (start === undefined) return null;
  const end = momentOf(to) ?? now.value;
  return <span class="number">{durationText(Math.max(0, end - start))}</span>;
}

export function momentOf(at: number | string | null | undefined): number | undefined {
  if (at === null || at === undefined || at === '') return undefined;
  const moment = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(moment) ? undefined : moment;
}

// Times and durations, as people read them.
import { signal } from '@preact/signals';
import { formatOf } from './date-format.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `1 h 05 min`, `2 min 03 s`, `14 s`, `320 ms`. */
export function durationText(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${twoDigits(Math.floor((ms % MINUTE) / SECOND))} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${twoDigits(Math.floor((ms % HOUR) / MINUTE))} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

/** `just now`, `4 min ago`, `3 h ago`, `12 d ago`; the date where that says more. */
export function relativeTimeText(time: number, now: number): string {
  const ms = now - time;
  if (ms < MINUTE) return ms < -MINUTE ? `in ${durationText(-ms)}` : 'just now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  if (ms < 30 * DAY) return `${Math.floor(ms / DAY)} d ago`;
  return dateText(new Date(time));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `17 Nov 2026`. Lists have many of these, and to make the first format of the browser takes as long as to draw a list. */
function dateText(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

export function dateTimeText(time: number): string {
  return formatOf({ dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** The present, to the second, while the page is visible: durations of running stages and jobs grow with it. */
export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, SECOND);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') now.value = Date.now();
});

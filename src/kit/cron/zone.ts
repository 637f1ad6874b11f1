// Translates between instants and the readings of a wall clock in a time zone, both in milliseconds.

const day = 24 * 60 * 60 * 1000;
const second = 1000;

/** The zone of this machine. The first call reads the data of all languages, which takes tens of milliseconds. */
export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The reading of the clock, as the instant at which a clock in UTC would show the same; whole seconds. */
export function wallClockAt(instant: number, timeZone: string): number {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The first instant at which the clock shows the reading or, when the clock skips it, the first instant after the gap. */
export function instantOf(wallClock: number, timeZone: string): number {
  // No zone is a whole day away from UTC, so the offset that counts lies between these two instants.
  const before = offsetAt(wallClock - day, timeZone);
  const after = offsetAt(wallClock + day, timeZone);
  if (before === after) return wallClock - before;
  const showing = [wallClock - before, wallClock - after].filter((instant) => wallClockAt(instant, timeZone) === wallClock);
  return showing.length > 0 ? Math.min(...showing) : changeBetween(wallClock - day, wallClock + day, timeZone);
}

/** The latest reading the clock has shown up to the instant, which is more than it shows while it runs through an hour again. */
export function latestWallClock(instant: number, timeZone: string): number {
  const shown = wallClockAt(instant, timeZone);
  const whole = wholeSeconds(instant);
  const firstShown = instantOf(shown, timeZone);
  return firstShown === whole ? shown : wallClockAt(changeBetween(firstShown, whole, timeZone) - second, timeZone);
}

/** The instant from which on the offset is no longer the one it was at `from`. */
function changeBetween(from: number, to: number, timeZone: string): number {
  const offset = offsetAt(from, timeZone);
  let unchanged = from;
  let changed = to;
  while (changed - unchanged > second) {
    const middle = wholeSeconds((unchanged + changed) / 2);
    if (offsetAt(middle, timeZone) === offset) unchanged = middle;
    else changed = middle;
  }
  return changed;
}

function offsetAt(instant: number, timeZone: string): number {
  return wallClockAt(instant, timeZone) - wholeSeconds(instant);
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / second) * second;
}

// Making a formatter takes far longer than using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

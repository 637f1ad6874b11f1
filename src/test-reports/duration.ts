// How long a test took, as reports write it. A text that is no duration counts as zero.

const MAX_MS = 1e12;
const CLOCK = /^(?:(\d{1,6})\.)?(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)$/;
const SECONDS_OF = { day: 86_400, hour: 3600, minute: 60 };

/** Seconds, with a dot or a comma: `1.5`, `1,234.5`, `0,5`, `1e-3`. */
export function millisecondsOf(seconds: string | undefined): number {
  const text = seconds?.trim() ?? '';
  if (text === '' || text.length > 40) return 0;
  return rounded(Number(text.includes('.') ? text.replaceAll(',', '') : text.replace(',', '.')));
}

/** `00:00:01.2345678`, with days in front of a dot if there are any. */
export function millisecondsOfClock(text: string | undefined): number {
  const [, days = '0', hours, minutes, seconds] = CLOCK.exec(text?.trim() ?? '') ?? [];
  if (hours === undefined) return 0;
  return rounded(Number(days) * SECONDS_OF.day + Number(hours) * SECONDS_OF.hour + Number(minutes) * SECONDS_OF.minute + Number(seconds));
}

function rounded(seconds: number): number {
  return seconds > 0 ? Math.min(Math.round(seconds * 1000), MAX_MS) : 0;
}

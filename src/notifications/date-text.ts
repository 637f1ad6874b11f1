// Dates in mails, as GoCD writes them: `Wed Jul 01 05:20:05 UTC 2015`.
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** In the time zone of the server unless another one is named. */
export function dateText(time: string, timeZone?: string): string {
  const format = formats.getOrInsertComputed(
    timeZone,
    () =>
      new Intl.DateTimeFormat('en-US', {
        weekday: 'short',
        month: 'short',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
        year: 'numeric',
        timeZoneName: 'short',
        ...(timeZone !== undefined && { timeZone }),
      }),
  );
  const parts = Object.fromEntries(format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]));
  return `${parts.weekday} ${parts.month} ${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${parts.timeZoneName} ${parts.year}`;
}

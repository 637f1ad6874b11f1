// When something is started by the clock: in words, and by its next times.
import { useMemo } from 'preact/hooks';
import { currentSession } from '../../api/session.ts';
import { formatOf } from '../text/date-format.ts';
import { now } from '../text/time.ts';
import { cronAdvice } from './cron-advice.ts';
import { describeCron } from './describe-cron.ts';
import { nextTimes, wallClockIn } from './next-times.ts';
import { parseCron } from './parse-cron.ts';

const SHOWN = 5;
const MINUTE = 60_000;
const FORMAT = {
  timeZone: 'UTC',
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** `max`: how many of the next times. */
export function CronTimes({ spec, max = SHOWN }: { readonly spec: string; readonly max?: number }) {
  const zone = currentSession()?.server.time_zone;
  const schedule = useMemo(() => parseCron(spec), [spec]);
  const minute = Math.floor(now.value / MINUTE) * MINUTE;
  const times = useMemo(() => (schedule === undefined ? [] : nextTimes(schedule, wallClockIn(zone, minute), max)), [schedule, minute]);
  if (schedule === undefined) return <p class="quiet">{cronAdvice(spec)}</p>;
  return (
    <div class="cron-times" role="status">
      <p>Runs {describeCron(schedule)}.</p>
      {times.length === 0 ? (
        <p>It never comes due again.</p>
      ) : (
        <ol aria-label="Next times">
          {times.map((time) => (
            <li key={time}>{formatOf(FORMAT).format(time)}</li>
          ))}
        </ol>
      )}
      <p class="quiet">By the clock of the server{zone === undefined ? '' : ` (${zone})`}.</p>
    </div>
  );
}

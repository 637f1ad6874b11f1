// When a pipeline is started by the clock: in the form of the server, in words, and by its next times.
import { useMemo } from 'preact/hooks';
import { currentSession } from '../../api/session.ts';
import { CheckField, TextField } from '../../forms/edit/fields.tsx';
import { present } from '../../forms/edit/optional.ts';
import { member, type Part } from '../../forms/edit/part.ts';
import { now } from '../../kit/text/time.ts';
import { nextTimes, wallClockIn } from '../cron/next.ts';
import { parseCron } from '../cron/parse.ts';
import { cronWords } from '../cron/words.ts';
import type { Timer } from '../pipeline.ts';

const NEW_TIMER: Timer = { spec: '0 0 22 ? * MON-FRI', only_on_changes: false };
const SHOWN = 5;
const MINUTE = 60_000;
const FORMAT = new Intl.DateTimeFormat(undefined, {
  timeZone: 'UTC',
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export function TimerFields({ part }: { readonly part: Part<Timer | null> }) {
  const timer = part.now.value;
  if (timer === null)
    return (
      <button type="button" class="button" onClick={() => part.set(NEW_TIMER)}>
        Start it by the clock
      </button>
    );
  const own = present(part, NEW_TIMER);
  return (
    <fieldset>
      <legend>Timer</legend>
      <TextField
        label="When"
        part={member(own, 'spec')}
        hint="Seconds, minutes, hours, day of the month, month, day of the week; one of the days is a question mark."
      />
      <TimesOf spec={timer.spec} />
      <CheckField label="Only when there are new changes" part={member(own, 'only_on_changes')} />
      <button type="button" class="button" onClick={() => part.set(null)}>
        Remove the timer
      </button>
    </fieldset>
  );
}

function TimesOf({ spec }: { readonly spec: string }) {
  const zone = currentSession()?.server.time_zone;
  const schedule = useMemo(() => parseCron(spec), [spec]);
  const minute = Math.floor(now.value / MINUTE) * MINUTE;
  const times = useMemo(() => (schedule === undefined ? [] : nextTimes(schedule, wallClockIn(zone, minute), SHOWN)), [schedule, minute]);
  if (schedule === undefined) return <p class="quiet">This is no time that the server understands.</p>;
  return (
    <div class="timer-times" role="status">
      <p>Runs {cronWords(schedule)}.</p>
      {times.length === 0 ? (
        <p>It never comes due again.</p>
      ) : (
        <ol aria-label="Next times">
          {times.map((time) => (
            <li key={time}>{FORMAT.format(time)}</li>
          ))}
        </ol>
      )}
      <p class="quiet">By the clock of the server{zone === undefined ? '' : ` (${zone})`}.</p>
    </div>
  );
}

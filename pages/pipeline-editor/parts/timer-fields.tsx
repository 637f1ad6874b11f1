// When a pipeline is started by the clock: in the form of the server, in words, and by its next times.
import { CheckField, TextField } from '../../forms/edit/fields.tsx';
import { present } from '../../forms/edit/optional.ts';
import { member, type Part } from '../../forms/edit/part.ts';
import { CronTimes } from '../../kit/cron/cron-times.tsx';
import type { Timer } from '../pipeline.ts';

const NEW_TIMER: Timer = { spec: '0 0 22 ? * MON-FRI', only_on_changes: false };

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
      <CronTimes spec={timer.spec} />
      <CheckField label="Only when there are new changes" part={member(own, 'only_on_changes')} />
      <button type="button" class="button" onClick={() => part.set(null)}>
        Remove the timer
      </button>
    </fieldset>
  );
}

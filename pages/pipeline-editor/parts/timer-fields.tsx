// When a pipeline is started by the clock: in the form of the server, in words, and by its next times.
import { CheckField, TextField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { withDefault } from '../../forms/edit/with-default.ts';
import { CronTimes } from '../../kit/cron/cron-times.tsx';
import type { Timer } from '../pipeline.ts';

const NEW_TIMER: Timer = { spec: '0 0 22 ? * MON-FRI', only_on_changes: false };

export function TimerFields({ lens }: { readonly lens: Lens<Timer | null> }) {
  const timer = lens.now.value;
  if (timer === null)
    return (
      <button type="button" class="button" onClick={() => lens.set(NEW_TIMER)}>
        Start it by the clock
      </button>
    );
  const own = withDefault(lens, NEW_TIMER);
  return (
    <fieldset>
      <legend>Timer</legend>
      <TextField
        label="When"
        lens={member(own, 'spec')}
        hint="Seconds, minutes, hours, day of the month, month, day of the week; one of the days is a question mark."
      />
      <CronTimes spec={timer.spec} />
      <CheckField label="Only when there are new changes" lens={member(own, 'only_on_changes')} />
      <button type="button" class="button" onClick={() => lens.set(null)}>
        Remove the timer
      </button>
    </fieldset>
  );
}

// The work that was begun before maintenance mode, and has not ended.
import type { ComponentChildren } from 'preact';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Duration } from '../kit/text/relative-time.tsx';
import { materialTitle, type RunningJob, type RunningSystems } from './maintenance.ts';

export function StillRunning({ running, isDrained }: { readonly running: RunningSystems; readonly isDrained: boolean }) {
  return (
    <>
      <h2>What still runs</h2>
      <p role="status">{isDrained ? 'Nothing runs any more: do your work now.' : 'Wait until nothing runs any more.'}</p>
      <Group title="Jobs that agents work on" items={running.building_jobs.map(jobItem)} />
      <Group
        title="Materials that are polled"
        items={running.material_update_in_progress.map((update) => (
          <>
            {materialTitle(update)} <Duration from={update.mdu_start_time} />
          </>
        ))}
      />
      <Group
        title="Other work"
        items={running.other_work.map(({ name, start_time }) => (
          <>
            {name} <Duration from={start_time} />
          </>
        ))}
      />
      <Group title="Jobs that wait for an agent, and get none until the end" items={running.scheduled_jobs.map(jobItem)} />
    </>
  );
}

/** Limit of the list: users do not read more. */
const MAX_ITEMS = 100;

function Group({ title, items }: { readonly title: string; readonly items: readonly ComponentChildren[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>
        {title}: {items.length}
      </h3>
      <ul>
        {items.slice(0, MAX_ITEMS).map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
      {items.length > MAX_ITEMS && <p class="quiet">and {items.length - MAX_ITEMS} more</p>}
    </section>
  );
}

function jobItem(job: RunningJob): ComponentChildren {
  const { pipeline_name, pipeline_counter, stage_name, stage_counter, name, state, scheduled_date } = job;
  return (
    <>
      <Link href={pageOf.job(pipeline_name, pipeline_counter, stage_name, Number(stage_counter), name)}>
        {pipeline_name} / {pipeline_counter} / {stage_name} / {stage_counter} / {name}
      </Link>{' '}
      {state} <Duration from={scheduled_date} />
    </>
  );
}

// The jobs of a run of a stage, one in a line.
import { useState } from 'preact/hooks';
import { type JobAnswer, jobStatus, type StageLocator, startOf } from '../api/run-answers.ts';
import { AgentLink } from '../kit/agent-link.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Status } from '../kit/status.tsx';
import { DurationWithEstimate } from '../kit/text/duration-with-estimate.tsx';
import { Duration } from '../kit/text/relative-time.tsx';
import { now } from '../kit/text/time.ts';
import { countsText, maxDuration } from './stage.ts';

const MAX_ROWS = 100;

interface JobTableProps {
  readonly at: StageLocator;
  readonly jobs: readonly JobAnswer[];
  readonly chosen: ReadonlySet<string>;
  /** undefined: the user may not run the jobs. */
  readonly onChoose: ((chosen: ReadonlySet<string>) => void) | undefined;
}

export function JobTable({ at, jobs, chosen, onChoose }: JobTableProps) {
  const [shown, setShown] = useState(MAX_ROWS);
  const maxMs = maxDuration(jobs, now.value);
  const isAllChosen = jobs.length > 0 && jobs.every(({ name }) => chosen.has(name));
  return (
    <>
      <table class="jobs">
        <thead>
          <tr>
            {onChoose && (
              <th scope="col" class="is-choice">
                <input
                  type="checkbox"
                  aria-label="Choose all jobs"
                  checked={isAllChosen}
                  onInput={() => onChoose(new Set(isAllChosen ? [] : jobs.map(({ name }) => name)))}
                />
              </th>
            )}
            <th scope="col">Job</th>
            <th scope="col">State</th>
            <th scope="col">Took</th>
            <th scope="col" class="is-waited">
              Waited
            </th>
            <th scope="col" class="is-agent">
              Agent
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.slice(0, shown).map((job) => (
            <JobRow
              key={job.name}
              at={at}
              job={job}
              maxMs={maxMs}
              isChosen={chosen.has(job.name)}
              onChoose={onChoose && (() => onChoose(chosen.symmetricDifference(new Set([job.name]))))}
            />
          ))}
        </tbody>
      </table>
      <p class="quiet" role="status">
        {countsText(jobs)}{' '}
        {jobs.length > shown && (
          <button type="button" class="link-button" onClick={() => setShown(shown + MAX_ROWS)}>
            Show {Math.min(MAX_ROWS, jobs.length - shown)} more
          </button>
        )}
      </p>
    </>
  );
}

interface JobRowProps {
  readonly at: StageLocator;
  readonly job: JobAnswer;
  readonly maxMs: number;
  readonly isChosen: boolean;
  readonly onChoose: (() => void) | undefined;
}

function JobRow({ at: { pipeline, counter, stage, stageCounter }, job, maxMs, isChosen, onChoose }: JobRowProps) {
  const start = startOf(job);
  return (
    <tr>
      {onChoose && (
        <td class="is-choice">
          <input type="checkbox" aria-label={`Choose ${job.name}`} checked={isChosen} onInput={onChoose} />
        </td>
      )}
      <td class="is-name">
        <Link href={pageOf.job(pipeline, counter, stage, stageCounter, job.name)}>{job.name}</Link>
        {job.original_job_id !== null && (
          <span class="quiet" title="It was not run again: this is its result from before.">
            {' '}
            from before
          </span>
        )}
      </td>
      <td>
        <Status word={jobStatus(job)} />
      </td>
      <td>
        <DurationWithEstimate from={start} ms={job.duration_ms} estimatedMs={job.estimated_duration_ms} maxMs={maxMs} hasBar />
      </td>
      <td class="quiet is-waited">
        <Duration from={job.scheduled_date} to={start ?? job.completed_date} />
      </td>
      <td class="is-agent">
        <AgentLink agent={job.agent} />
      </td>
    </tr>
  );
}

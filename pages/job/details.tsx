// The times of the states of a job, and other facts about it.

import { Fact, Facts } from '../kit/facts.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { Duration } from '../kit/text/relative-time.tsx';
import { dateTimeText } from '../kit/text/time.ts';
import { hasEnded, type JobDetails, timesInStates } from './job.ts';

export function Details({ job }: { readonly job: JobDetails }) {
  const isOver = hasEnded(job);
  return (
    <>
      <Facts>
        <Fact name="Environment">{job.environment ?? <span class="quiet">none</span>}</Fact>
        <Fact name="Agent">{job.agent === null ? <span class="quiet">none yet</span> : <code>{job.agent.uuid}</code>}</Fact>
        <Fact name="Run again by itself">{job.rerun ? 'yes' : 'no'}</Fact>
      </Facts>
      <h2>States</h2>
      <table class="transitions">
        <TableHead columns={['State', 'Since', 'For']} />
        <tbody>
          {timesInStates(job.job_state_transitions).map(({ state, at, ms }) => (
            <tr key={`${state} ${at}`}>
              <td>{state}</td>
              <td class="number">{dateTimeText(at)}</td>
              <td>{!(ms === null && isOver) && <Duration from={at} to={ms === null ? undefined : at + ms} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">Environment variables are printed at the beginning of the console, without those that are secret.</p>
    </>
  );
}

// Why a job waits, in words: the cause, and which agents do not take it.
import { useApi } from '../api/queries.ts';
import { Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { isAboutJob, type JobLocator } from './job.ts';
import { JOB_VERSION, jobAddress } from './use-job.ts';

interface Why {
  readonly will_run: boolean;
  readonly reasons: readonly { readonly rule: string; readonly message: string }[];
  readonly agents: readonly {
    readonly uuid: string;
    readonly hostname: string | null;
    readonly may_take: boolean;
    readonly message: string;
  }[];
}

const MAX_AGENTS = 50;
const KINDS: ReadonlySet<string> = new Set(['agent', 'maintenance', 'config']);

export function Waiting({ at }: { readonly at: JobLocator }) {
  const isOwn = isAboutJob(at);
  const read = useApi<Why>(`${jobAddress(at)}/why`, JOB_VERSION, { changedBy: (notice) => KINDS.has(notice.kind) || isOwn(notice) });
  return (
    <section class="job-why" aria-label="Why it waits">
      <h2>Why it waits</h2>
      <Loaded read={read}>
        {({ reasons, agents, will_run: willRun }) => (
          <>
            {reasons.length === 0 && <p>{willRun ? 'An agent may take it at any moment.' : 'Nothing is known that stops it.'}</p>}
            <ul>
              {reasons.map(({ rule, message }) => (
                <li key={rule}>{message}</li>
              ))}
            </ul>
            {agents.length > 0 && <Agents agents={agents} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Agents({ agents }: Pick<Why, 'agents'>) {
  const shown = agents.slice(0, MAX_AGENTS);
  const able = agents.filter((agent) => agent.may_take).length;
  return (
    <details>
      <summary>
        {pluralize(agents.length, 'agent')}, {able === 0 ? 'none' : able} of which can take it now
      </summary>
      <ul>
        {shown.map(({ uuid, hostname, message }) => (
          <li key={uuid}>
            <strong>{hostname ?? uuid}</strong> {message}
          </li>
        ))}
      </ul>
      {agents.length > shown.length && <p class="quiet">And {agents.length - shown.length} more.</p>}
    </details>
  );
}

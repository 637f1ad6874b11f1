// The agent that has or had a job.
import type { AgentOfJob } from '../api/run-answers.ts';
import { Link } from './link.tsx';
import { pageOf } from './routing.ts';

export function AgentLink({ agent }: { readonly agent: AgentOfJob | null | undefined }) {
  if (agent === null || agent === undefined) return <span class="quiet">none</span>;
  if (agent.hostname === null) {
    return (
      <span class="quiet" title={agent.uuid}>
        an agent that is gone
      </span>
    );
  }
  return (
    <Link href={`${pageOf.agents()}?q=${encodeURIComponent(agent.hostname)}`} title={agent.uuid}>
      {agent.hostname}
    </Link>
  );
}

// One agent in one line.
import { pathIn } from '../api/address.ts';
import { Link } from '../kit/link.tsx';
import { StatusIcon, type StatusName } from '../kit/status.tsx';
import { type Agent, spaceText, stateOf } from './agent.ts';

const ICONS: Readonly<Record<string, StatusName>> = {
  Idle: 'waiting',
  Building: 'building',
  Cancelling: 'cancelled',
  'Lost contact': 'failed',
  Missing: 'failed',
  Pending: 'paused',
  Disabled: 'paused',
  'Disabled, building': 'building',
};

interface AgentRowProps {
  readonly agent: Agent;
  readonly isAdmin: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onEdit: () => void;
}

export function AgentRow({ agent, isAdmin, isChosen, onChoose, onEdit }: AgentRowProps) {
  const { hostname, ip_address, sandbox, operating_system, resources = [], environments, free_space, elastic_agent_id } = agent;
  return (
    <tr>
      {isAdmin && (
        <td>
          <input type="checkbox" aria-label={`Choose ${hostname}`} checked={isChosen} onInput={onChoose} />
        </td>
      )}
      <td>
        {isAdmin ? (
          <button type="button" class="link-button" onClick={onEdit} title={agent.uuid}>
            {hostname}
          </button>
        ) : (
          <span title={agent.uuid}>{hostname}</span>
        )}{' '}
        <span class="quiet">{ip_address}</span> {elastic_agent_id !== undefined && <span class="badge">elastic</span>}
      </td>
      <td>
        <AgentState agent={agent} />
      </td>
      <td>{resources.join(', ')}</td>
      <td>{environments.map(({ name }) => name).join(', ')}</td>
      <td class="quiet">{sandbox}</td>
      <td class="quiet">{operating_system}</td>
      <td class="number">{spaceText(free_space)}</td>
    </tr>
  );
}

function AgentState({ agent }: { readonly agent: Agent }) {
  const state = stateOf(agent);
  const icon = ICONS[state] ?? 'unknown';
  const { build_details: build } = agent;
  const job = build?._links.job;
  return (
    <>
      <span class={`status is-${icon}`}>
        <StatusIcon status={icon} />
        {state}
      </span>
      {build !== undefined && job !== undefined && (
        <>
          {' '}
          <Link href={pathIn(job.href)}>
            {build.pipeline_name} / {build.stage_name} / {build.job_name}
          </Link>
        </>
      )}
    </>
  );
}

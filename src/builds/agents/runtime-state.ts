// The current state of an agent, as far as the server knows.
import { LOST_CONTACT_SECONDS } from '../../contracts/agent-protocol/messages.ts';

export const RUNTIME_STATES = ['Idle', 'Building', 'Cancelled', 'LostContact', 'Missing', 'Unknown'] as const;
export type RuntimeState = (typeof RUNTIME_STATES)[number];

export interface AgentSigns {
  /** When it was heard of last; undefined: never since this server runs builds. */
  readonly heardAt: number | undefined;
  readonly now: number;
  /** The job it was given. */
  readonly current: { readonly isCancelling: boolean } | undefined;
  /** Whether it says that it works on something. */
  readonly claimsWork: boolean;
}

export function runtimeState({ heardAt, now, current, claimsWork }: AgentSigns): RuntimeState {
  if (heardAt === undefined) return 'Missing';
  if (isLost(heardAt, now)) return 'LostContact';
  if (current) return current.isCancelling ? 'Cancelled' : 'Building';
  // It works on a job that is not its own any more, and it will be informed.
  return claimsWork ? 'Unknown' : 'Idle';
}

export function isLost(heardAt: number, now: number): boolean {
  return now - heardAt >= LOST_CONTACT_SECONDS * 1000;
}

/** While it cancels a job an agent still builds. */
export function agentState(state: RuntimeState): RuntimeState {
  return state === 'Cancelled' ? 'Building' : state;
}

/** Unknown for an agent without contact. */
export function buildState(state: RuntimeState): RuntimeState {
  return state === 'LostContact' || state === 'Missing' ? 'Unknown' : state;
}

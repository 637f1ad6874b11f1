// The current state of an agent, as far as the server knows.
import { LOST_CONTACT_SECONDS } from '../../contracts/agent-protocol/messages.ts';

export const RUNTIME_STATES = ['Idle', 'Building', 'Cancelled', 'LostContact', 'Missing', 'Unknown'] as const;
export type RuntimeState = (typeof RUNTIME_STATES)[number];

export interface AgentContact {
  /** When it had contact last; undefined: never since this server runs builds. */
  readonly lastContactAt: number | undefined;
  readonly now: number;
  /** The job it was given. */
  readonly current: { readonly isCancelling: boolean } | undefined;
  /** Whether it says that it works on something. */
  readonly claimsWork: boolean;
}

export function runtimeState({ lastContactAt, now, current, claimsWork }: AgentContact): RuntimeState {
  if (lastContactAt === undefined) return 'Missing';
  if (isLost(lastContactAt, now)) return 'LostContact';
  if (current) return current.isCancelling ? 'Cancelled' : 'Building';
  // It works on a job that is not its own any more, and it will be informed.
  return claimsWork ? 'Unknown' : 'Idle';
}

export function isLost(lastContactAt: number, now: number): boolean {
  return now - lastContactAt >= LOST_CONTACT_SECONDS * 1000;
}

/** While it cancels a job an agent still builds. */
export function agentState(state: RuntimeState): RuntimeState {
  return state === 'Cancelled' ? 'Building' : state;
}

/** Unknown for an agent without contact. */
export function buildState(state: RuntimeState): RuntimeState {
  return state === 'LostContact' || state === 'Missing' ? 'Unknown' : state;
}

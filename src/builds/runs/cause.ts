// The cause of a run.
import type { ConfiguredVariable } from '../configured.ts';
import type { TriggerKind } from '../trigger/decide-trigger.ts';

export interface Cause {
  readonly kind: TriggerKind;
  /** The build cause in words. */
  readonly message: string;
  /** `changes`, `timer`, or the user who asked for it. */
  readonly approver: string;
  /** Given with the request; secure ones are closed. */
  readonly variables: readonly ConfiguredVariable[];
}

export const BY_CHANGES = 'changes';
export const BY_TIMER = 'timer';

export function forcedBy(user: string): string {
  return `Forced by ${user}`;
}

/** `newest`: the change that set it off. */
export function changedBy(newest: { readonly userName: string | null; readonly upstream: string | undefined }): string {
  return newest.upstream === undefined ? `modified by ${newest.userName ?? 'unknown'}` : `triggered by ${newest.upstream}`;
}

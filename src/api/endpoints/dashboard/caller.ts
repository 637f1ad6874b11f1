// Who looks at the dashboard: what they may see of it and do with it, worked out by group, once for everybody who has the same rights.
import type { Identity } from '../../../access/identity.ts';
import type { Access, GroupStanding } from '../../../access/may.ts';
import type { ShownConfigStage, ShownPipeline } from '../../../builds/dashboard/facts.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';

const KEY_LENGTH = 16;
/** A standing is the same object until rights change. */
const keys = new WeakMap<GroupStanding, string>();

export interface Caller {
  /** Whoever has the same sees the same. */
  readonly key: string;
  sees(group: string): boolean;
  /** May pause and unlock its pipelines, and run the stages that name no approvers. */
  operates(group: string): boolean;
  administers(group: string): boolean;
  /** A stage that is gone from the configuration has no approvers of its own any more. */
  operatesStage(group: string, stage: ShownConfigStage | undefined): boolean;
}

/** `hasApprovers`: whether stages anywhere name approvers of their own: what somebody may do then depends on who they are. */
export function callerOf(access: Pick<Access, 'groupStanding' | 'mayOperate'>, identity: Identity, hasApprovers: boolean): Caller {
  const standing = access.groupStanding(identity);
  const { isAdmin, views, administers, operates } = standing;
  const shared = keys.get(standing) ?? keyOf(standing);
  keys.set(standing, shared);
  const isAdminOf = (group: string) => isAdmin || administers.has(group.toLowerCase());
  const isOperatorOf = (group: string) => isAdminOf(group) || operates.has(group.toLowerCase());
  return {
    key: hasApprovers && !isAdmin ? sha256(`${shared}\n${identity.loginName.toLowerCase()}`).slice(0, KEY_LENGTH) : shared,
    sees: (group) => isAdmin || views.has(group.toLowerCase()),
    operates: isOperatorOf,
    administers: isAdminOf,
    operatesStage: (group, stage) => (stage?.approvers ? access.mayOperate(identity, group, stage.approvers) : isOperatorOf(group)),
  };
}

/** The first stage decides who may trigger it. */
export function mayTrigger(caller: Caller, { group, stages }: ShownPipeline): boolean {
  return caller.operatesStage(group, stages[0]);
}

function keyOf({ isAdmin, views, administers, operates }: GroupStanding): string {
  if (isAdmin) return 'admin';
  return sha256(JSON.stringify([views, administers, operates].map((groups) => [...groups].toSorted()))).slice(0, KEY_LENGTH);
}

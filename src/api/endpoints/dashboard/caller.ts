// The caller of the dashboard: their rights to see pipelines and to run them, worked out by group, once for all users with the same rights.
import type { Identity } from '../../../access/identity.ts';
import type { Access, EffectiveGroupRights } from '../../../access/may.ts';
import type { ScopeAction } from '../../../access/scopes/scope.ts';
import type { TokenScopes } from '../../../access/scopes/token-scopes.ts';
import type { DashboardConfigStage, DashboardPipeline } from '../../../builds/dashboard/facts.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';

const KEY_LENGTH = 16;
/** Effective rights are the same object until rights change. */
const keys = new WeakMap<EffectiveGroupRights, string>();

type RightsAccess = Pick<Access, 'effectiveGroupRights' | 'mayOperate'>;

/** A pipeline, as far as rights depend on it. */
type PipelineName = Pick<DashboardPipeline, 'group' | 'name'>;

export interface Caller {
  /** Callers with the same key see the same. */
  readonly key: string;
  sees(pipeline: PipelineName): boolean;
  seesGroup(group: string): boolean;
  /** May pause and unlock it, and run the stages that name no approvers. */
  operates(pipeline: PipelineName): boolean;
  administers(pipeline: PipelineName): boolean;
  administersGroup(group: string): boolean;
  /** A stage that is gone from the configuration has no approvers of its own any more. */
  operatesStage(pipeline: PipelineName, stage: DashboardConfigStage | undefined): boolean;
}

/** `hasApprovers`: whether any stage names approvers of its own: then rights depend on the login name, too. */
export function callerOf(access: RightsAccess, identity: Identity, hasApprovers: boolean): Caller {
  const user = callerWithoutScopes(access, identity, hasApprovers);
  return identity.scopes ? limited(user, identity.scopes) : user;
}

function callerWithoutScopes(access: RightsAccess, identity: Identity, hasApprovers: boolean): Caller {
  const rights = access.effectiveGroupRights(identity);
  const { isAdmin, views, administers, operates } = rights;
  const shared = keys.get(rights) ?? keyOf(rights);
  keys.set(rights, shared);
  const seesGroup = (group: string) => isAdmin || views.has(group.toLowerCase());
  const isAdminOf = (group: string) => isAdmin || administers.has(group.toLowerCase());
  const isOperatorOf = ({ group }: PipelineName) => isAdminOf(group) || operates.has(group.toLowerCase());
  return {
    key: hasApprovers && !isAdmin ? shortHash(`${shared}\n${identity.loginName.toLowerCase()}`) : shared,
    sees: ({ group }) => seesGroup(group),
    seesGroup,
    operates: isOperatorOf,
    administers: ({ group }) => isAdminOf(group),
    administersGroup: isAdminOf,
    operatesStage: (pipeline, stage) =>
      stage?.approvers
        ? access.mayOperate(identity, { group: pipeline.group, pipeline: pipeline.name }, stage.approvers)
        : isOperatorOf(pipeline),
  };
}

/** With an access token that is limited to some pipelines or groups. */
function limited(user: Caller, scopes: TokenScopes): Caller {
  const hasScope = (action: ScopeAction, { name, group }: PipelineName) => scopes.coversPipeline(action, name, group);
  const hasGroup = (action: ScopeAction, name: string) => scopes.covers({ resource: 'pipeline_groups', action, name });
  return {
    key: shortHash(`${user.key}\n${scopes.key}`),
    sees: (pipeline) => user.sees(pipeline) && hasScope('view', pipeline),
    seesGroup: (group) => user.seesGroup(group) && hasGroup('view', group),
    operates: (pipeline) => user.operates(pipeline) && hasScope('operate', pipeline),
    administers: (pipeline) => user.administers(pipeline) && hasScope('administer', pipeline),
    administersGroup: (group) => user.administersGroup(group) && hasGroup('administer', group),
    operatesStage: (pipeline, stage) => user.operatesStage(pipeline, stage) && hasScope('operate', pipeline),
  };
}

/** Triggering a pipeline needs the right to operate its first stage. */
export function mayTrigger(caller: Caller, pipeline: DashboardPipeline): boolean {
  return caller.operatesStage(pipeline, pipeline.stages[0]);
}

function shortHash(text: string): string {
  return sha256(text).slice(0, KEY_LENGTH);
}

function keyOf({ isAdmin, views, administers, operates }: EffectiveGroupRights): string {
  if (isAdmin) return 'admin';
  return shortHash(JSON.stringify([views, administers, operates].map((groups) => [...groups].toSorted())));
}

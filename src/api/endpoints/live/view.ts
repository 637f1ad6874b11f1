// Which live notices a user may receive and has asked for.
import { type Identity, withoutScopes } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import { type LiveView, NOTICE_KINDS, type Notice, type NoticeKind, type Topic } from '../../../events/live/notice.ts';
import { maySee, scopeResource } from '../../engine/guards.ts';

export interface LiveFilter {
  /** In lower case; undefined: all. */
  readonly pipelines: ReadonlySet<string> | undefined;
  readonly topics: ReadonlySet<Topic> | undefined;
}

/** The resource of each kind of notice, by its name in scopes. */
const READ_FROM: Readonly<Record<NoticeKind, string>> = {
  pipeline: 'pipelines',
  stage: 'pipelines',
  job: 'pipelines',
  material: 'pipelines',
  agent: 'agents',
  health: 'server_health_messages',
  maintenance: 'server_health_messages',
  config: 'pipelines',
};

export function viewOf(identity: Identity, { pipelines, topics }: LiveFilter, access: Access): LiveView {
  const filter = [topics ? [...topics] : null, pipelines ? [...pipelines] : null];
  return {
    // Administrators see the same.
    key: () => viewKey(access.isAdmin(identity) ? undefined : identity, filter),
    wants: (notice) => isWanted(notice, { pipelines, topics }) && isAmong(identity, notice, access),
  };
}

/** As JSON, no login name can stand for another one with scopes. */
export function viewKey(viewer: Pick<Identity, 'loginName' | 'scopes'> | undefined, filter: unknown): string {
  return JSON.stringify([viewer ? [viewer.loginName, viewer.scopes?.key ?? null] : null, filter]);
}

function isWanted({ kind, pipeline }: Notice, { pipelines, topics }: LiveFilter): boolean {
  if (topics && !topics.has(NOTICE_KINDS[kind])) return false;
  return pipeline === undefined || pipelines === undefined || pipelines.has(pipeline);
}

function isAmong(identity: Identity, notice: Notice, access: Access): boolean {
  const { audience } = notice;
  if (audience === 'everyone') return !identity.scopes || isOfScopes(identity, notice, access);
  if ('groups' in audience) {
    if (identity.scopes) return audience.pipelines.some((pipeline) => access.mayView(identity, pipeline));
    return audience.groups.some((group) => access.mayViewGroup(identity, group));
  }
  if ('entities' in audience) return audience.entities.some((entity) => maySee(identity, audience.kind, entity, access));
  const { policy, permission } = audience.anyOf;
  if (policy) return access.mayHaveAnyOf(identity, permission, policy.type);
  const wanted = { resource: scopeResource(audience.anyOf), action: 'view' } as const;
  return access.passes(withoutScopes(identity), permission) && access.scopesConcern(identity, wanted);
}

/** For notices that go to every user. */
function isOfScopes(identity: Identity, { kind, data }: Notice, access: Access): boolean {
  const needed = { resource: READ_FROM[kind], action: 'view' } as const;
  return typeof data.uuid === 'string'
    ? access.isInScope(identity, { ...needed, name: data.uuid })
    : access.scopesConcern(identity, needed);
}

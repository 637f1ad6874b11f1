// What of the live notices somebody may hear of, and wants to.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import { type Audience, type LiveView, NOTICE_KINDS, type Notice, type Topic } from '../../../events/live/notice.ts';
import { maySee } from '../../engine/guards.ts';

export interface LiveFilter {
  /** In lower case; undefined: all. */
  readonly pipelines: ReadonlySet<string> | undefined;
  readonly topics: ReadonlySet<Topic> | undefined;
}

export function viewOf(identity: Identity, { pipelines, topics }: LiveFilter, access: Access): LiveView {
  const filter = JSON.stringify([topics ? [...topics] : null, pipelines ? [...pipelines] : null]);
  return {
    // Administrators see the same.
    key: () => `${access.isAdmin(identity) ? '' : identity.loginName} ${filter}`,
    wants: (notice) => isWanted(notice, { pipelines, topics }) && isAmong(identity, notice.audience, access),
  };
}

/** The groups that somebody may view, as a text. */
export function rightsOf(identity: Identity, groups: Iterable<string>, access: Access): string {
  if (access.isAdmin(identity)) return '*';
  return JSON.stringify([...groups].filter((group) => access.mayView(identity, group)).toSorted());
}

function isWanted({ kind, pipeline }: Notice, { pipelines, topics }: LiveFilter): boolean {
  if (topics && !topics.has(NOTICE_KINDS[kind])) return false;
  return pipeline === undefined || pipelines === undefined || pipelines.has(pipeline);
}

function isAmong(identity: Identity, audience: Audience, access: Access): boolean {
  if (audience === 'everyone') return true;
  if ('groups' in audience) return audience.groups.some((group) => access.mayView(identity, group));
  if ('entities' in audience) return audience.entities.some((entity) => maySee(identity, audience.kind, entity, access));
  const { policy, permission } = audience.anyOf;
  return policy ? access.maySeek(identity, permission, policy.type) : access.passes(identity, permission);
}

// Tells pages of changes of the configuration, and of rights that come with them.
import type { Changes } from '../../config/change.ts';
import type { Edit } from '../../config/edit.ts';
import type { LiveStreams } from '../../events/live/live-streams.ts';
import type { Audience, Notice } from '../../events/live/notice.ts';
import type { NoticePublisher } from '../../events/live/notice-publisher.ts';
import { type Entity, type Kind, resourceName } from '../../shape/resource.ts';

/** More of a kind in one change are told of as one. */
const MAX_NAMED = 100;
/** The kinds that decide which users may view which pipelines. */
const RIGHTS = new Set(['systemAdmins', 'roles', 'pipelineGroups']);
const PIPELINES = 'pipelines';

export function publishConfig(publisher: NoticePublisher, streams: LiveStreams, changes: Changes): void {
  changes.listen(({ edits }) => {
    void streams.rightsChanged(edits.some(({ kind }) => RIGHTS.has(kind.name)));
    if (!publisher.log) return;
    for (const [kind, those] of Map.groupBy(edits, (edit) => edit.kind)) {
      if (kind.isInternal) continue;
      if (those.length > MAX_NAMED) publisher.publish(`config ${kind.name}`, () => noticeOfMany(kind));
      else for (const edit of those) publisher.publish(`config ${kind.name} ${edit.key}`, () => noticeOf(edit));
    }
  });
}

function noticeOf({ kind, key, id, before, after }: Edit): Notice {
  const entities = [before, after].flatMap((entry) => (entry ? [entry.value] : []));
  const isPipeline = kind.name === PIPELINES;
  // Users who may view a pipeline see it in lists, so they are told that it has changed.
  const audience: Audience = isPipeline ? audienceOf(entities) : { kind, entities };
  return {
    kind: 'config',
    data: { kind: resourceName(kind), ...(id !== '' && { name: id }) },
    ...(isPipeline && { pipeline: key }),
    audience,
  };
}

function noticeOfMany(kind: Kind): Notice {
  return {
    kind: 'config',
    data: { kind: resourceName(kind) },
    audience: kind.name === PIPELINES ? 'everyone' : { anyOf: kind },
  };
}

function audienceOf(pipelines: readonly Entity[]): Audience {
  const inGroups = pipelines.map(({ group, name }) => ({ group: String(group), pipeline: String(name) }));
  return { groups: inGroups.map(({ group }) => group), pipelines: inGroups };
}

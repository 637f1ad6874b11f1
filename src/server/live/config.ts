// Notifies pages of changes of the configuration, and of rights that come with them.
import type { Changes } from '../../config/change.ts';
import type { Config } from '../../config/current.ts';
import { type Edit, isEditOf } from '../../config/edit.ts';
import type { LiveStreams } from '../../events/live/live-streams.ts';
import type { Audience, Notice } from '../../events/live/notice.ts';
import type { NoticePublisher } from '../../events/live/notice-publisher.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { type Entity, idOf, type Kind, resourceName } from '../../shape/resource.ts';

/** More of a kind in one change are announced as one. */
const MAX_NAMED = 100;
/** The kinds that decide about the rights of users. */
const RIGHTS: ReadonlySet<KindName> = new Set(['systemAdmins', 'roles', 'pipelineGroups', 'templateAuthorizations']);
const PIPELINES = 'pipelines';

/** Kinds that no page shows by themselves: each entity is a part of another one, whose name it holds in a field. */
const OWNERS: { readonly [K in KindName]?: { readonly kind: KindName; readonly field: keyof EntityNamed<K> & string } } = {
  environmentParts: { kind: 'environments', field: 'environment' },
  templateAuthorizations: { kind: 'templates', field: 'template' },
};

export function publishConfig(publisher: NoticePublisher, streams: LiveStreams, changes: Changes, config: Config): void {
  changes.listen(({ edits }) => {
    void streams.rightsChanged(edits.some(({ kind }) => RIGHTS.has(kind.name)));
    if (!publisher.log) return;
    for (const [kind, those] of Map.groupBy(edits, (edit) => edit.kind)) {
      if (kind.isInternal) publishOwners(kind, those);
      else if (those.length > MAX_NAMED) publisher.publish(`config ${kind.name}`, () => noticeOfMany(kind));
      else for (const edit of those) publisher.publish(`config ${kind.name} ${edit.key}`, () => noticeOf(edit));
    }
  });

  function publishOwners({ name }: Kind, parts: readonly Edit[]): void {
    const owner = OWNERS[name];
    if (!owner) return;
    const owners = config.of(owner.kind);
    const ids = new Set(
      parts.flatMap(({ before, after }) => [before, after].flatMap((part) => (part ? [String(part.value[owner.field])] : []))),
    );
    if (ids.size > MAX_NAMED) {
      publisher.publish(`config ${owner.kind}`, () => noticeOfMany(owners.kind));
      return;
    }
    for (const id of ids) {
      publisher.publish(`config parts of ${owner.kind} ${id}`, () => {
        const entry = owners.find(id);
        // An entity that is gone has a notice of its own.
        return entry && noticeAbout(owners.kind, idOf(owners.kind, entry.value), [entry.value]);
      });
    }
  }
}

function noticeOf(edit: Edit): Notice {
  const { kind, key, id } = edit;
  const notice = noticeAbout(kind, id, entitiesOf(edit));
  // Users who may view a pipeline see it in lists, so they are notified that it has changed.
  return isEditOf(PIPELINES, edit) ? { ...notice, pipeline: key, audience: audienceOf(entitiesOf(edit)) } : notice;
}

function entitiesOf<E extends Entity>({ before, after }: Edit<E>): E[] {
  return [before, after].flatMap((entry) => (entry ? [entry.value] : []));
}

function noticeAbout(kind: Kind, id: string, entities: readonly Entity[]): Notice {
  return { kind: 'config', data: { kind: resourceName(kind), ...(id !== '' && { name: id }) }, audience: { kind, entities } };
}

function noticeOfMany(kind: Kind): Notice {
  return {
    kind: 'config',
    data: { kind: resourceName(kind) },
    audience: kind.name === PIPELINES ? 'everyone' : { anyOf: kind },
  };
}

function audienceOf(pipelines: readonly EntityNamed<'pipelines'>[]): Audience {
  const inGroups = pipelines.map(({ group, name }) => ({ group, pipeline: name }));
  return { groups: inGroups.map(({ group }) => group), pipelines: inGroups };
}

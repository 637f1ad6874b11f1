// Entities that a config repo defines are changed in its repository alone.
import type { Draft } from '../../config/draft.ts';
import { type Edit, isEditOf } from '../../config/edit.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { withFiles } from '../../shape/problems/files-in-repos.ts';
import { sourceLabel } from './source-label.ts';

const NAMES: Readonly<Partial<Record<KindName, string>>> = { pipelines: 'pipeline', scms: 'SCM' };

export function refuseRemoteEdits(draft: Draft): void {
  if (draft.publisher !== undefined) return;
  for (const edit of draft.edits) {
    if (edit.before?.etag === edit.after?.etag || edit.removedWith || edit.isFreed) continue;
    if (!edit.before || !repoOriginOf(edit.before.value)) continue;
    throw new Refusal('invalid', renamedGroup(draft, edit) ?? remoteText(draft, edit));
  }
}

function remoteText(draft: Draft, edit: Edit): string {
  const { kind, before } = edit;
  const { repo, file } = repoOriginOf(before!.value)!;
  const message = `Can not operate on ${NAMES[kind.name] ?? kind.title.toLowerCase()} '${nameIn(edit)}' as it is defined remotely in '${sourceLabel(draft, repo)}'.`;
  return withFiles(message, 'Change', [{ repo, file }]);
}

function nameIn(edit: Edit): string {
  if (isEditOf('pipelines', edit) || isEditOf('scms', edit)) return edit.before!.value.name;
  return isEditOf('environmentParts', edit) ? edit.before!.value.environment : edit.id;
}

/** A group takes its pipelines along to its new name. */
function renamedGroup(draft: Draft, { kind }: Edit): string | undefined {
  const group = draft.edits.find((edit) => edit.kind.name === 'pipelineGroups' && edit.operation === 'delete');
  if (kind.name !== 'pipelines' || !group) return undefined;
  const moved = draft.edits.filter((edit) => isEditOf('pipelines', edit) && isIn(group.key, edit));
  const remote = moved.flatMap(({ before }) => repoOriginOf(before!.value) ?? []);
  return withFiles(`Can not rename pipeline group '${group.id}' as it contains remote pipelines.`, 'Change', remote);
}

function isIn(group: string, { before }: Edit<EntityNamed<'pipelines'>>): boolean {
  return String(before?.value.group).toLowerCase() === group.toLowerCase();
}

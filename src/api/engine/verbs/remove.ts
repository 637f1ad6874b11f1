// DELETE of one entity.
import type { Draft } from '../../../config/draft.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { addressOf, type Kind } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer } from '../route.ts';
import { change } from './change.ts';
import { explaining } from './conflict.ts';
import { mustExist } from './must-exist.ts';
import { checkIfMatch } from './precondition.ts';

export async function remove(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const id = parts.config.of(kind.name).idAt(request.params.id ?? '');
  const find = (draft: Draft) => mustExist(kind, id, draft.find(kind, id));
  const write = (draft: Draft) => {
    const current = find(draft);
    checkIfMatch(kind, id, current, draft, request, false);
    draft.remove(kind, id);
    return { revision: draft.revision, name: addressOf(kind, current.value) };
  };
  if (kind.isNamedInTexts) await parts.config.prepareIdsInTexts(pause);
  const { revision, name } = await explaining({ kind, id, parts, request, find }, () => change(parts, request, write));
  return jsonAnswer({ message: kind.messages.deleted(name) }, { revision });
}

// DELETE of one entity.
import { addressOf, type Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer } from '../route.ts';
import { mustExist } from './must-exist.ts';
import { mustBeCurrent } from './precondition.ts';

export async function remove(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const id = parts.config.of(kind.name).idAt(request.params.id ?? '');
  const { revision, name } = await parts.changes.apply(
    request.author,
    (draft) => {
      const current = mustExist(kind, id, draft.find(kind, id));
      mustBeCurrent(kind, id, current, draft, request, false);
      draft.remove(kind, id);
      return { revision: draft.revision, name: addressOf(kind, current.value) };
    },
    { dryRun: request.isDryRun },
  );
  return jsonAnswer({ message: kind.messages.deleted(name) }, { revision });
}

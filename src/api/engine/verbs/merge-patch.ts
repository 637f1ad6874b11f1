// PATCH with a JSON merge patch: as if its sender had read the entity, changed these members and put it back.
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import type { Collection, Kind, Singleton } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { explaining, type Yours } from './conflict.ts';
import { mustExist } from './must-exist.ts';
import { mergedBody, wantedByMergePatch } from './patched.ts';
import { checkIfMatch, mustSendIfMatch, StaleWrite } from './precondition.ts';
import { isReadable, type ReadResult, readBodyAs } from './read-body.ts';
import { putIfDifferent, unsetEntry } from './replace.ts';
import { checkMember, putMember } from './update.ts';

/** Where it goes, and how. */
interface PatchTarget {
  readonly kind: Kind;
  readonly id: string;
  find(draft: Draft): Entry;
  /** Refuses patches that need not even be tried. */
  check?(read: ReadResult): void;
  put(draft: Draft, read: ReadResult): Entry;
}

/** Another request changed the entity while the patch was read. */
class ConcurrentChange extends Error {}

const MAX_TRIES = 5;

export async function mergePatch(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const target = kind.shape === 'collection' ? memberTarget(kind, parts, request) : singletonTarget(kind);
  const { id, find } = target;
  const yours: Yours = (base, ruleView) => base && wantedByMergePatch(kind, id, request.body, base, ruleView, parts);
  const write = async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await patchOnce(target, parts, request);
      } catch (failure) {
        if (!(failure instanceof ConcurrentChange)) throw failure;
        if (tries === MAX_TRIES) throw new StaleWrite(kind, id);
      }
    }
  };
  return explaining({ kind, id, parts, request, find }, write, yours);
}

async function patchOnce({ kind, id, find, check, put }: PatchTarget, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const current = find(new Draft(parts.config));
  const read = await readBodyAs(kind, mergedBody(kind, id, current.value, request.body, parts.config.secrets), parts, current.value);
  check?.(read);
  const entry = await change(parts, request, (draft) => {
    const now = find(draft);
    if (isReadable(read)) {
      if (kind.needsIfMatch) mustSendIfMatch(request);
      checkIfMatch(kind, id, now, draft, request, kind.needsIfMatch);
    }
    if (now.etag !== current.etag) throw new ConcurrentChange();
    return put(draft, read);
  });
  const answer = parts.renderer.once(kind, entry, request.base);
  return entry.revision === 0 ? answer : { ...answer, revision: entry.revision };
}

function memberTarget(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): PatchTarget {
  const address = request.params.id ?? '';
  const id = parts.config.of(kind.name).idAt(address);
  const member = { kind, id, address };
  return {
    kind,
    id,
    find: (draft) => mustExist(kind, id, draft.find(kind, id)),
    check: (read) => checkMember(member, read, parts, request),
    put: (draft, read) => putMember(draft, member, read),
  };
}

function singletonTarget(kind: Kind & Singleton): PatchTarget {
  return {
    kind,
    id: '',
    find: (draft) => draft.find(kind, '') ?? unsetEntry(kind),
    put: (draft, read) => putIfDifferent(draft, kind, read),
  };
}

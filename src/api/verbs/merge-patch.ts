// PATCH with a JSON merge patch: as if its sender had read the entity, changed these members and put it back.
import { Draft } from '../../config/draft.ts';
import type { Entry } from '../../config/entry.ts';
import { writeEntity } from '../../shape/entity-json.ts';
import type { JsonObject } from '../../shape/json.ts';
import { mergePatched } from '../../shape/merge-patch.ts';
import type { Collection, Kind, Singleton } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { explaining } from './conflict.ts';
import { mustExist } from './must-exist.ts';
import { mustBeCurrent, StaleWrite } from './precondition.ts';
import { mustBeReadable, type ReadResult, readBodyAs } from './read-body.ts';
import { unsetEntry } from './replace.ts';
import { checkMember, putMember, withId } from './update.ts';

/** Where it goes, and how. */
interface Place {
  readonly kind: Kind;
  readonly id: string;
  find(draft: Draft): Entry;
  /** The body of a PUT for what was patched. */
  whole(patched: JsonObject): JsonObject;
  /** Refuses what need not even be tried. */
  check(read: ReadResult, current: Entry): void;
  put(draft: Draft, read: ReadResult): Entry;
}

/** Somebody changed the entity while the patch was read. */
class Moved extends Error {}

const MOST_TRIES = 5;

export async function mergePatch(kind: Kind, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const place = kind.shape === 'collection' ? memberPlace(kind, parts, request) : singletonPlace(kind);
  const { id, find } = place;
  return explaining({ kind, id, parts, request, find }, async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await patchOnce(place, parts, request);
      } catch (failure) {
        if (!(failure instanceof Moved)) throw failure;
        if (tries === MOST_TRIES) throw new StaleWrite(kind, id);
      }
    }
  });
}

async function patchOnce({ kind, id, find, whole, check, put }: Place, parts: ResourceParts, request: ApiRequest): Promise<Answer> {
  const current = find(new Draft(parts.config));
  const isUnset = kind.shape === 'singleton' && !kind.unset && current === unsetEntry(kind as Kind & Singleton);
  const shown = isUnset ? {} : writeEntity(kind, current.value);
  const read = await readBodyAs(kind, whole(mergePatched(shown, request.body)), parts, current.value);
  check(read, current);
  const entry = await change(parts, request, (draft) => {
    const now = find(draft);
    mustBeCurrent(kind, id, now, draft, request, kind.needsIfMatch);
    if (now.etag !== current.etag) throw new Moved();
    return put(draft, read);
  });
  return { ...parts.renderer.one(kind, entry, request.base), revision: entry.revision };
}

function memberPlace(kind: Kind & Collection, parts: ResourceParts, request: ApiRequest): Place {
  const address = request.params.id ?? '';
  const id = parts.config.of(kind.name).idAt(address);
  const member = { kind, id, address };
  return {
    kind,
    id,
    find: (draft) => mustExist(kind, id, draft.find(kind, id)),
    whole: (patched) => withId(kind, patched, id),
    check: (read, current) => checkMember(member, read, current, parts, request),
    put: (draft, read) => putMember(draft, member, read),
  };
}

function singletonPlace(kind: Kind & Singleton): Place {
  return {
    kind,
    id: '',
    find: (draft) => draft.find(kind, '') ?? unsetEntry(kind),
    whole: (patched) => patched,
    check: (read, current) => mustBeReadable(kind, '', read, current),
    put: (draft, { entity, problems }) => draft.put(kind, '', entity, problems),
  };
}

// Replaces an entity with a new version: on top of the version it is based on, or merged with the changes of others since.
import type { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { changesByOthersIn } from '../../../history/conflict/explain.ts';
import { mergeEntities } from '../../../history/difference/entity-difference.ts';
import type { JsonObject, JsonSchema } from '../../../shape/json/json.ts';
import type { Entity, Kind, RuleView } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { Answer, ApiRequest } from '../route.ts';
import { change } from './change.ts';
import { type Conflict, conflictOf, isExplainable, staleWriteOf, type Target } from './conflict.ts';
import { checkIfMatch, StaleWrite } from './precondition.ts';
import { isReadable, type ReadResult, readSealedAs } from './read-body.ts';

/** Puts the entity that was read into a draft. */
export type Put = (draft: Draft, read: ReadResult) => Entry;

/** How the wish for a merge is described. */
export const PREFER: Readonly<Record<string, JsonSchema>> = {
  Prefer: {
    type: 'string',
    description:
      '`merge`: what others have changed since the version in If-Match is kept where it does not overlap, instead of 412. The answer then has `Preference-Applied: merge`, the revisions in `X-Svc-Merged-Revisions`, and the fields they touched in `X-Svc-Merged-Fields`.',
  },
};

/** Others may come in between again and again; so often a merge is begun anew. */
const MAX_MERGES = 5;
const MAX_FIELDS = 20;

/** A target with all parts that a write needs. */
interface WriteTarget extends Target {
  readonly parts: ResourceParts;
  readonly request: ApiRequest;
}

export async function overwrite(target: WriteTarget, sent: ReadResult, put: Put): Promise<Answer> {
  const { kind, id, request } = target;
  try {
    return answerOf(
      target,
      await attempt(target, sent, put, (now, draft) => {
        if (isReadable(sent)) checkIfMatch(kind, id, now, draft, request, kind.needsIfMatch);
      }),
    );
  } catch (failure) {
    if (!isExplainable(failure, request)) throw failure;
  }
  for (let merges = 0; ; merges++) {
    const conflict = await conflictOf(target);
    // The shown fields of other entities are those that the sender saw.
    const yours = ownPart(kind, sent.entity, conflict.base.ruleView ?? conflict.ruleView);
    const merged = merges < MAX_MERGES && wantsMerge(request.header('prefer')) ? await mergedWith(kind, conflict, yours) : undefined;
    if (!merged) throw await staleWriteOf(target, conflict, yours);
    const read = await readSealedAs(kind, merged, target.parts, conflict.now.value);
    try {
      const entry = await attempt(target, read, put, ({ etag }) => {
        if (etag !== conflict.now.etag) throw new StaleWrite(kind, id);
      });
      return { ...answerOf(target, entry), headers: await mergeHeaders(kind, conflict) };
    } catch (failure) {
      if (!(failure instanceof StaleWrite)) throw failure;
    }
  }
}

/** The entity without the shown fields of other entities. */
export function ownPart(kind: Kind, entity: Entity, ruleView: RuleView): Entity {
  return kind.shows?.removeShown?.(entity, ruleView) ?? entity;
}

function attempt(
  { parts, request, find }: WriteTarget,
  read: ReadResult,
  put: Put,
  condition: (now: Entry, draft: Draft) => void,
): Promise<Entry> {
  return change(parts, request, (draft) => {
    condition(find(draft), draft);
    return put(draft, read);
  });
}

function answerOf({ kind, parts, request }: WriteTarget, entry: Entry): Answer {
  return { ...parts.renderer.once(kind, entry, request.base), revision: entry.revision };
}

function wantsMerge(prefer = ''): boolean {
  return prefer.split(',').some((preference) => preference.split(';', 1)[0]!.trim().toLowerCase() === 'merge');
}

/** Undefined: the base is not known, or both have touched the same. */
async function mergedWith(kind: Kind, { base, now }: Conflict, yours: Entity): Promise<JsonObject | undefined> {
  if (!base.value) return undefined;
  const merge = await mergeEntities(kind, base.value, yours, now.value);
  return 'merged' in merge ? merge.merged : undefined;
}

/** The revisions whose changes were kept, and the fields they touched. */
async function mergeHeaders(kind: Kind, { base, now, ruleView }: Conflict): Promise<string[]> {
  const revisions = base.since.map(({ revision }) => revision);
  const theirs = await changesByOthersIn({ kind, base, now: now.value, ruleView });
  const paths = theirs.map(({ path }) => encodeURI(path).replaceAll(',', '%2C'));
  const more = paths.length > MAX_FIELDS ? [`and ${paths.length - MAX_FIELDS} more`] : [];
  const fields = [...paths.slice(0, MAX_FIELDS), ...more];
  return [
    'Preference-Applied',
    'merge',
    'X-Svc-Merged-Revisions',
    revisions.slice(0, MAX_FIELDS).join(', '),
    'X-Svc-Merged-Fields',
    fields.join(', '),
  ];
}

// Why an operation of a batch is stale: others have changed the entity, or the batch itself has done so before.

import type { Draft } from '../../../config/draft.ts';
import type { Author } from '../../../config/revision.ts';
import { explain } from '../../../history/conflict/explain.ts';
import type { Refusal } from '../../../kit/refusal.ts';
import { readEntity } from '../../../shape/json/entity-json.ts';
import type { Entity, RuleView } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { baseOf, conflictOf, staleWriteOf, type Yours, yoursIn } from '../verbs/conflict.ts';
import { ownPart } from '../verbs/overwrite.ts';
import { wantedByMergePatch, wantedByOperations } from '../verbs/patched.ts';
import { missingIfMatch, StaleWrite } from '../verbs/precondition.ts';
import { unsetEntry } from '../verbs/replace.ts';
import { withId } from '../verbs/update.ts';
import { type Item, isAbout } from './decide-operation.ts';
import type { BatchOperation } from './operation.ts';

export async function staleOperation(
  index: number,
  items: readonly Item[],
  draft: Draft,
  author: Author,
  parts: ResourceParts,
): Promise<Refusal> {
  const operation = items[index]!.operation!;
  const { kind, address, ifMatch } = operation;
  const id = parts.config.of(kind.name).idAt(address);
  if (ifMatch === undefined) return missingIfMatch();
  const target = {
    kind,
    id,
    parts,
    request: { author, header: () => ifMatch },
    find: (now: Draft) => now.find(kind, id) ?? (kind.shape === 'singleton' ? unsetEntry(kind) : undefined),
  };
  const yours: Yours = (base, ruleView) => wantedBy(operation, id, base, ruleView, draft, parts);
  const before = items.slice(0, index).findLastIndex((item) => item.decided?.entry && isAbout(item, kind, id));
  if (before < 0) {
    const conflict = await conflictOf(target);
    return staleWriteOf(target, conflict, yoursIn(conflict, yours));
  }
  const conflict = { base: await baseOf(target), now: items[before]!.decided!.entry!, ruleView: draft.ruleView };
  const explanation = await explain({
    kind,
    base: conflict.base,
    yours: yoursIn(conflict, yours),
    now: conflict.now.value,
    ruleView: draft.ruleView,
  });
  return new StaleWrite(kind, id, { ...explanation, changed_by_operation: before });
}

/** The entity that the operation would have saved; undefined: none, or it cannot be determined. */
function wantedBy(
  { kind, method, body }: BatchOperation,
  id: string,
  base: Entity | undefined,
  ruleView: RuleView,
  draft: Draft,
  parts: ResourceParts,
): Entity | undefined {
  if (method === 'DELETE') return undefined;
  if (method === 'PATCH') {
    if (!base) return undefined;
    return kind.patch ? wantedByOperations(kind, body, base, parts) : wantedByMergePatch(kind, id, body, base, ruleView, parts);
  }
  const whole = kind.shape === 'collection' ? withId(kind, body, id) : body;
  const { entity } = readEntity(kind, whole, { ruleView: draft.ruleView, current: draft.find(kind, id)?.value }, parts.tools);
  return ownPart(kind, entity, ruleView);
}

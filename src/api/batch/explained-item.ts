// Why an operation of a batch is stale: others have changed the entity, or the batch itself has done so before.
import type { Author } from '../../config/change.ts';
import type { Draft } from '../../config/draft.ts';
import { explain } from '../../history/conflict/explain.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { Entity } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { baseOf, conflictOf, explained } from '../verbs/conflict.ts';
import { ownPart } from '../verbs/overwrite.ts';
import { StaleWrite } from '../verbs/precondition.ts';
import { readBodyAs } from '../verbs/read-body.ts';
import { unsetEntry } from '../verbs/replace.ts';
import { withId } from '../verbs/update.ts';
import { type Item, isAbout } from './decide-operation.ts';
import type { BatchOperation } from './operation.ts';

export async function explainedItem(
  place: number,
  items: readonly Item[],
  draft: Draft,
  author: Author,
  parts: ResourceParts,
): Promise<Refusal> {
  const operation = items[place]!.operation!;
  const { kind, address, ifMatch } = operation;
  const id = parts.config.of(kind.name).idAt(address);
  if (ifMatch === undefined) return new StaleWrite(kind, id);
  const target = {
    kind,
    id,
    parts,
    request: { author, header: () => ifMatch },
    find: (now: Draft) => now.find(kind, id) ?? (kind.shape === 'singleton' ? unsetEntry(kind) : undefined),
  };
  const yours = await wholeIn(operation, id, draft, parts);
  const before = items.slice(0, place).findLastIndex((item) => item.decided?.entry && isAbout(item, kind, id));
  if (before < 0) return explained(target, await conflictOf(target), yours);
  const now = items[before]!.decided!.entry!.value;
  return new StaleWrite(kind, id, { ...explain({ kind, base: await baseOf(target), yours, now }), changed_by_operation: before });
}

/** What it would have put there; a patch would have been made of something else. */
async function wholeIn(
  { kind, method, body }: BatchOperation,
  id: string,
  draft: Draft,
  parts: ResourceParts,
): Promise<Entity | undefined> {
  if (method === 'PATCH' || method === 'DELETE') return undefined;
  const whole = kind.shape === 'collection' ? withId(kind, body, id) : body;
  const { entity } = await readBodyAs(kind, whole, parts, draft.find(kind, id)?.value, draft);
  return ownPart(kind, entity, draft.seen);
}

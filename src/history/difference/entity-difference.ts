// The difference between two states of an entity, as its kind writes them.
import { collectInSlices, pause, runInSlices } from '../../kit/concurrency/time-slices.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import type { JsonOut } from '../../shape/json/json.ts';
import { addressOf, type Entity, type Kind, type RuleView } from '../../shape/resource.ts';
import { keepUnchangedSecrets } from '../../shape/secrets/keep-secrets.ts';
import { DIGESTS } from '../../shape/secrets/secret-writer.ts';
import { type FieldChange, fieldChangeSteps } from './difference.ts';
import { type PatchOperation, patchSteps } from './patch.ts';
import { withoutSecrets } from './secrets.ts';
import { type Merge, threeWay } from './three-way.ts';

export interface Difference {
  readonly changes: readonly FieldChange[];
  readonly patch: readonly PatchOperation[];
}

/** Undefined stands for an entity that does not exist. */
export async function difference(kind: Kind, before: Entity | undefined, after: Entity | undefined): Promise<Difference> {
  if (before && after) {
    const [earlier, later] = comparable(kind, [before, after]) as [JsonOut, JsonOut];
    const changes = await collectInSlices(fieldChangeSteps(earlier, later));
    return { changes, patch: await collectInSlices(patchSteps(earlier, later)) };
  }
  const changes = wholeChange(kind, before, after);
  const [{ after: shown = null } = {}] = changes;
  if (changes.length === 0) return { changes, patch: [] };
  return { changes, patch: [after ? { op: 'add', path: '', value: shown } : { op: 'remove', path: '' }] };
}

/** The difference without its patch. `ruleView`: the states that the shown fields of other entities are read from, at once. */
export async function changesBetween(
  kind: Kind,
  before: Entity | undefined,
  after: Entity | undefined,
  ruleView?: readonly [before: RuleView, after: RuleView],
): Promise<readonly FieldChange[]> {
  if (!before || !after) return wholeChange(kind, before, after);
  const [earlier, later] = comparable(kind, [before, after], ruleView) as [JsonOut, JsonOut];
  await pause();
  return collectInSlices(fieldChangeSteps(earlier, later));
}

function wholeChange(kind: Kind, before: Entity | undefined, after: Entity | undefined): readonly FieldChange[] {
  const whole = after ?? before;
  if (!whole) return [];
  const shown = withoutSecrets(writeSealed(kind, whole));
  const words = `${entityTitle(kind, whole)} ${after ? 'created' : 'deleted'}`;
  return [after ? { path: '', operation: 'add', after: shown, words } : { path: '', operation: 'remove', before: shown, words }];
}

/**
 * States of one entity in the sealed form, with the same cipher text for the same secret in all of them: one that was encrypted
 * anew in between is no difference.
 */
export function comparable(kind: Kind, states: readonly Entity[], ruleView: readonly RuleView[] = []): JsonOut[] {
  const aligned: Entity[] = [];
  for (const state of states) aligned.push(aligned.reduceRight((entity, earlier) => keepUnchangedSecrets(earlier, entity), state));
  return aligned.map((entity, index) => {
    const view = ruleView[index];
    const shown = view && kind.shows?.add(entity, view, { base: undefined, secrets: DIGESTS });
    return { ...writeSealed(kind, entity), ...shown };
  });
}

export function entityTitle(kind: Kind, entity: Entity): string {
  return kind.shape === 'singleton' ? kind.title : `${kind.title} '${addressOf(kind, entity)}'`;
}

/** Merges the changes of two people to the same entity; `readEntity` can read the outcome as a sealed body. */
export function mergeEntities(kind: Kind, base: Entity, mine: Entity, theirs: Entity): Promise<Merge> {
  const [first, one, other] = comparable(kind, [base, mine, theirs]) as [JsonOut, JsonOut, JsonOut];
  return runInSlices(threeWay(first, one, other));
}

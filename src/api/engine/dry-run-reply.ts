// The effects of a write in the answer to its dry run: beside the members of the real answer, as `_plan`.
import type { Draft } from '../../config/draft.ts';
import type { Edit } from '../../config/edit.ts';
import { type ChangedByEdit, changesBy, realEdits } from '../../history/edits.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { addressOf, type Entity, type Kind, keyOf, resourceName } from '../../shape/resource.ts';
import type { Answer } from './route.ts';

/** Users do not read longer lists. */
export const MAX_CHANGES = 500;
const MAX_AFFECTED = 1000;

export interface Plan {
  readonly changes: readonly ChangedByEdit[];
  readonly more_changes?: number;
  readonly affected: readonly JsonObject[];
}

/** Whether the user may see an entity. */
export type MaySee = (kind: Kind, entity: Entity) => boolean;

/** An entity that its reader may not look at is only named: refusals reveal that much, too. */
export async function withPlan(answer: Answer, draft: Draft, maySee: MaySee): Promise<Answer> {
  if (!isObjectText(answer)) return answer;
  const edits = realEdits(draft.edits);
  const more = edits.length - MAX_CHANGES;
  const isHidden = ({ kind, before, after }: Edit) => [before, after].some((entry) => entry && !maySee(kind, entry.value));
  // First: the other entities may change during a pause.
  const affected = affectedBy(draft);
  const changes = await changesBy(edits.slice(0, MAX_CHANGES), draft, isHidden);
  return addPlan(answer, { changes, ...(more > 0 && { more_changes: more }), affected });
}

/** Only an object with members has room for one more. */
function isObjectText({ text = '' }: Answer): boolean {
  return text.endsWith('}') && text !== '{}';
}

/** Beside the other members of the answer. */
export function addPlan(answer: Answer, plan: Plan): Answer {
  if (!isObjectText(answer)) return answer;
  const whole = `${answer.text!.slice(0, -1)},"_plan":${JSON.stringify(plan)}}`;
  return { ...answer, text: whole, bytes: Buffer.byteLength(whole) };
}

/** The entities that refer to a changed one, and do not change themselves. */
export function affectedBy(draft: Draft): JsonObject[] {
  const edits = realEdits(draft.edits);
  const nameOf = (kind: Kind, id: string) => `${kind.name}\n${keyOf(kind, id)}`;
  const seen = new Set(edits.map(({ kind, id }) => nameOf(kind, id)));
  const affected: JsonObject[] = [];
  for (const edit of edits) {
    for (const referrer of draft.referrers(edit.kind.name, edit.id)) {
      const kind = draft.kind(referrer.kind);
      const name = nameOf(kind, referrer.id);
      const entry = draft.find(kind, referrer.id);
      if (seen.has(name) || !entry || kind.isInternal) continue;
      seen.add(name);
      affected.push({ resource: resourceName(kind), id: addressOf(kind, entry.value) });
      if (affected.length === MAX_AFFECTED) return affected;
    }
  }
  return affected;
}

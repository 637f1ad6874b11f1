// A change that is refused alone, made acceptable by those who wait: one more of them at a time, until it is or nobody can help.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Draft } from '../draft.ts';
import { type Conditions, type OnOpinions, type Unacceptable, whatIsWrongWith } from '../large-change.ts';
import type { Companion, Companions, Unaccepted } from './waiting-changes.ts';

const TOLD_ALREADY: OnOpinions = () => {};

/** What a config repo publishes comes with its companions already. */
export function companionsOf({ publisher }: Draft, companions: Companions | undefined): Companions | undefined {
  return publisher === undefined && companions?.areThere ? companions : undefined;
}

/** Adds those who may come along to the draft, and gives whom it was acceptable with. Undefined: nobody can help, and it stays as it was. */
export async function accompany(
  alone: Draft,
  { findings, conditions: broken }: Unacceptable,
  companions: Companions | undefined,
  conditions: Conditions,
  pause: Pause,
): Promise<Companion | undefined> {
  const able = broken.length === 0 ? companionsOf(alone, companions) : undefined;
  // What goes along with the change has been added to it before.
  const left: Conditions = { ...conditions, completions: [], onOpinions: conditions.onOpinions && TOLD_ALREADY };
  let refused: Unaccepted = { draft: alone, findings };
  for (let companion = await able?.find(refused, undefined); companion; companion = await able?.find(refused, companion)) {
    const draft = alone.copy();
    const isPlaced = await companion.place(draft, pause);
    const wrong = await whatIsWrongWith(draft, left, pause);
    if (isPlaced && !wrong) {
      alone.takeOver(draft);
      return companion;
    }
    refused = { draft, findings: wrong?.findings ?? [] };
  }
  return undefined;
}

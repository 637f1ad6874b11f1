// A change that is refused alone, made acceptable by waiting changes: one more at a time, until it is accepted or none of them helps.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Draft } from '../draft.ts';
import { type Conditions, type InvalidChange, type OnOpinions, validateDraft } from '../large-change.ts';
import type { Unaccepted, WaitingChange, WaitingChanges } from './waiting-changes.ts';

const IGNORE_OPINIONS: OnOpinions = () => {};

/** A change published by a config repo already includes the changes it waits for. */
export function waitingChangesFor({ publisher }: Draft, waiting: WaitingChanges | undefined): WaitingChanges | undefined {
  return publisher === undefined && waiting?.areThere ? waiting : undefined;
}

/** Adds waiting changes to the draft and returns those that made it acceptable. Undefined: none helps, and the draft stays as it was. */
export async function joinWaitingChanges(
  alone: Draft,
  { findings, conditions: broken }: InvalidChange,
  waiting: WaitingChanges | undefined,
  conditions: Conditions,
  pause: Pause,
): Promise<WaitingChange | undefined> {
  const able = broken.length === 0 ? waitingChangesFor(alone, waiting) : undefined;
  // The completions of the change have already run.
  const left: Conditions = { ...conditions, completions: [], onOpinions: conditions.onOpinions && IGNORE_OPINIONS };
  let refused: Unaccepted = { draft: alone, findings };
  for (let joined = await able?.find(refused, undefined); joined; joined = await able?.find(refused, joined)) {
    const draft = alone.copy();
    const isApplied = await joined.applyTo(draft, pause);
    const wrong = await validateDraft(draft, left, pause);
    if (isApplied && !wrong) {
      alone.replaceWith(draft);
      return joined;
    }
    refused = { draft, findings: wrong?.findings ?? [] };
  }
  return undefined;
}

// Joins changes of config repos to a change that is refused alone: one more at a time, until it is accepted or none of them helps.
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { Draft } from '../draft.ts';
import { type Conditions, type InvalidChange, type OnPluginProblems, validateDraft } from '../large-change.ts';
import type { JoinableChange, JoinableChanges, RefusedDraft } from './joinable-changes.ts';

const IGNORE_PLUGIN_PROBLEMS: OnPluginProblems = () => {};

/** A change published by a config repo already includes the changes it waits for. */
export function joinableChangesFor({ publisher }: Draft, joinable: JoinableChanges | undefined): JoinableChanges | undefined {
  return publisher === undefined && joinable?.hasAny ? joinable : undefined;
}

/** Joins changes to the draft and returns those that made it acceptable. Undefined: none helps, and the draft stays as it was. */
export async function joinChanges(
  alone: Draft,
  { findings, conditions: broken }: InvalidChange,
  joinable: JoinableChanges | undefined,
  conditions: Conditions,
  pause: Pause,
): Promise<JoinableChange | undefined> {
  const candidates = broken.length === 0 ? joinableChangesFor(alone, joinable) : undefined;
  // The completions of the change have already run.
  const left: Conditions = { ...conditions, completions: [], onPluginProblems: conditions.onPluginProblems && IGNORE_PLUGIN_PROBLEMS };
  let refused: RefusedDraft = { draft: alone, findings };
  for (let joined = await candidates?.find(refused, undefined); joined; joined = await candidates?.find(refused, joined)) {
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

// Entities that config repos define, as one item among many: a change of one is refused alone, not together with all other items.
import type { Config } from '../../../config/current.ts';
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import { repoOriginOf } from '../../../config/repo-origin.ts';
import { refuseRemoteEdits } from '../../../config-repos/publish/read-only.ts';
import { etagOf } from '../../../shape/json/etag.ts';
import type { Entity, Kind } from '../../../shape/resource.ts';

export function isRemote(entry: Entry | undefined): boolean {
  return entry !== undefined && repoOriginOf(entry.value) !== undefined;
}

/** Refuses a step that would change entities defined by config repos, before it is applied to the draft of the whole request. */
export async function mustKeepRemote(draft: Draft, step: (trial: Draft) => Promise<unknown>): Promise<void> {
  const trial = draft.branch();
  await step(trial);
  refuseRemoteEdits(trial);
}

/** Refuses a wanted state that differs from the one in the config repo. Clients cannot send the origin, so the current one counts. */
export function mustBeAsDefined(config: Config, kind: Kind, id: string, current: Entry, wanted: Entity): void {
  if (etagOf({ ...wanted, origin: current.value.origin }) === current.etag) return;
  const trial = new Draft(config);
  trial.put(kind, id, wanted);
  refuseRemoteEdits(trial);
}

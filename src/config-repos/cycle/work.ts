// Decides which work one config repo needs, and does it.
import type { RepoState } from '../../store/config-repos/states.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import type { Modification } from '../../store/materials/modifications.ts';
import { repoNow } from './repo-config.ts';
import type { RepoCycle } from './repo-cycle.ts';
import { type RunOrder, type RunParts, runOnce } from './run.ts';
import type { Scope } from './state.ts';
import { withdrawForbidden } from './withdraw-forbidden.ts';
import { type NeededWork, neededWork } from './work-needed.ts';

export interface WorkParts extends RunParts {
  readonly materials: RunParts['materials'] & {
    find(fingerprint: string): Promise<StoredMaterial | undefined>;
    modification(materialId: number, revision: string): Promise<Modification | undefined>;
  };
}

export interface WorkOrder extends Pick<RunOrder, 'isRequested' | 'signal' | 'onStep' | 'onPut'> {
  readonly scope: Scope;
}

type KnownRepo = Pick<RepoCycle, 'id' | 'isPollCurrent'> & { readonly known: RepoState | undefined };

/** `revision` is the newest one that is known. */
export function workFor(
  { id, known, isPollCurrent }: KnownRepo,
  revision: string | undefined,
  scope: Scope,
  parts: Pick<WorkParts, 'config' | 'plugins' | 'cipher'>,
): NeededWork | undefined {
  const { config, plugins, cipher } = parts;
  const now = repoNow(id, config, plugins, cipher);
  const isInForce = config.of('publishedRevisions').find(id) !== undefined;
  return now && neededWork(known, { ...now, revision, isInForce, isPollCurrent }, scope);
}

export async function workOn(repo: KnownRepo, { scope, ...order }: WorkOrder, parts: WorkParts): Promise<void> {
  const { materials, config, plugins, cipher } = parts;
  const material = await materials.ofConfigRepo(repo.id);
  const stored = material && (await materials.find(material.fingerprint));
  const revision = stored?.lastRevision;
  const need = material && workFor(repo, revision, scope, parts);
  if (!need) return;
  const isRun = need === 'all' && revision !== undefined;
  const modification = isRun ? shownModification(await materials.modification(stored!.id, revision)) : null;
  const now = repoNow(repo.id, config, plugins, cipher);
  if (now && isRun) await runOnce({ ...order, repo: now, known: repo.known, material, revision, modification }, parts);
  else if (now) await withdrawForbidden(now, parts);
}

/** As the parse state shows it. */
function shownModification(found: Modification | undefined): object | null {
  if (!found) return null;
  const { userName, email, revision, comment, modifiedTime } = found;
  return { username: userName, email_address: email, revision, comment, modified_time: modifiedTime.toISOString().replace(/\.\d+/, '') };
}

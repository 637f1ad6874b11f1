// The files that have changed in a material since a run, as far as people want to see them.
import type { Materials } from '../../store/materials/materials.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';

export interface ChangedFilesParts {
  readonly materials: Pick<Materials, 'find'>;
  readonly modifications: Pick<Modifications, 'byIds' | 'after' | 'filesOf'>;
}

const MAX_FILES = 50;
const MAX_MODIFICATIONS = 50;

/** `previous`: the modification that the run was made from. */
export async function changedFilesOf(
  fingerprint: string,
  previous: number | undefined,
  latest: Modification | undefined,
  { materials, modifications }: ChangedFilesParts,
): Promise<string[]> {
  const stored = await materials.find(fingerprint);
  if (!stored || !latest || previous === undefined) return [];
  const [before] = await modifications.byIds([previous]);
  const files = new Set<string>();
  for (const { id, ordinal } of await modifications.after(stored.id, before?.ordinal ?? 0, MAX_MODIFICATIONS)) {
    if (ordinal > latest.ordinal || files.size >= MAX_FILES) break;
    for (const { name } of await modifications.filesOf(id)) files.add(name);
  }
  return [...files].slice(0, MAX_FILES);
}

// The changes in a run against an earlier one: in its own materials, and in those of all upstream runs.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { BuildTables } from '../runs/build-tables.ts';

export interface CompareParts {
  readonly tables: Pick<BuildTables, 'runs'>;
  readonly modifications: Pick<Modifications, 'byIds'>;
  /** Whether the caller may see a pipeline: nothing upstream of a hidden one is shown. */
  isVisible(pipeline: string): boolean;
}

/** A material with modifications that the later run has and the earlier one has not, or the other way round. */
export interface ChangedMaterial {
  readonly revision: Pick<RunRevision, 'fingerprint' | 'type' | 'name' | 'description'>;
  readonly newest: Modification;
  /** The ordinal below all of them. */
  readonly above: number;
  readonly total: number;
}

export interface Comparison {
  readonly changes: readonly ChangedMaterial[];
  /** What the later run takes back: it was made from older revisions, or without a material. */
  readonly removed: readonly ChangedMaterial[];
  /** False: something is left out, because it may not be seen or there is too much. */
  readonly isComplete: boolean;
}

interface UsedRevision {
  readonly revision: RunRevision;
  /** Where runs were made from several of one material. */
  oldest: Modification;
  newest: Modification;
  /** The id of the first modification that was new to the run with the newest one. */
  first: number;
}

interface Above {
  readonly used: ReadonlyMap<string, UsedRevision>;
  readonly isComplete: boolean;
}

/** Maximum number of runs that are looked at above one. */
const MAX_RUNS_ABOVE = 5000;
const DEPENDENCY = 'dependency';

/** `from` is the earlier one. */
export async function compareRuns(parts: CompareParts, from: Run, to: Run): Promise<Comparison> {
  const [before, now] = [await usedBy(parts, from), await usedBy(parts, to)];
  const added = [...now.used].filter(([fingerprint]) => !before.used.has(fingerprint)).map(([, used]) => used);
  // What is left out above the later run is not known to be gone.
  const gone = now.isComplete ? [...before.used].filter(([fingerprint]) => !now.used.has(fingerprint)).map(([, used]) => used) : [];
  const firsts = new Map((await parts.modifications.byIds([...added, ...gone].map(({ first }) => first))).map((one) => [one.id, one]));
  // Of a material that only one of the runs has, the changes that were new to that run count.
  const aboveFirst = ({ first, newest }: UsedRevision): number => (firsts.get(first)?.ordinal ?? newest.ordinal) - 1;
  const [changes, removed]: [ChangedMaterial[], ChangedMaterial[]] = [[], []];
  for (const [fingerprint, used] of now.used) {
    const known = before.used.get(fingerprint);
    const above = known ? known.oldest.ordinal : aboveFirst(used);
    if (used.newest.ordinal > above) changes.push(changedMaterial(used, above));
    const back = known && removedBetween(known, used);
    if (back) removed.push(back);
  }
  for (const used of gone) removed.push(changedMaterial(used, aboveFirst(used)));
  return { changes, removed, isComplete: before.isComplete && now.isComplete };
}

function changedMaterial({ revision, newest }: UsedRevision, above: number): ChangedMaterial {
  return { revision, newest, above, total: newest.ordinal - above };
}

/** Where runs above were made from several revisions, each of the two ends may have gone back. */
function removedBetween(before: UsedRevision, now: UsedRevision): ChangedMaterial | undefined {
  const isNewestOlder = now.newest.ordinal < before.newest.ordinal;
  const isOldestOlder = now.oldest.ordinal < before.oldest.ordinal;
  if (!isNewestOlder && !isOldestOlder) return undefined;
  const newest = isNewestOlder ? before.newest : before.oldest;
  const above = (isOldestOlder ? now.oldest : now.newest).ordinal;
  return { revision: now.revision, newest, above, total: newest.ordinal - above };
}

async function usedBy({ tables, modifications, isVisible }: CompareParts, run: Run): Promise<Above> {
  const used = new Map<string, UsedRevision>();
  const seen = new Set([run.id]);
  let isComplete = true;
  for (let level = [run.id]; level.length > 0; ) {
    const revisions = await tables.runs.revisionsOf(level);
    const byId = new Map((await modifications.byIds([...new Set(revisions.map(({ last }) => last))])).map((one) => [one.id, one]));
    const next: number[] = [];
    for (const revision of revisions) {
      const modification = byId.get(revision.last);
      if (!modification) continue;
      if (revision.type === DEPENDENCY) {
        const { pipelineId: above } = modification;
        if (!isVisible(pipelineIn(modification.revision)) || seen.size >= MAX_RUNS_ABOVE) {
          isComplete = false;
          continue;
        }
        if (above !== undefined && !seen.has(above)) next.push(above);
        if (above !== undefined) seen.add(above);
      }
      note(used, revision, modification);
      await pause();
    }
    level = next;
  }
  return { used, isComplete };
}

function note(used: Map<string, UsedRevision>, revision: RunRevision, modification: Modification): void {
  const known = used.get(revision.fingerprint);
  if (!known) {
    used.set(revision.fingerprint, { revision, oldest: modification, newest: modification, first: revision.first });
    return;
  }
  if (modification.ordinal < known.oldest.ordinal) known.oldest = modification;
  if (modification.ordinal > known.newest.ordinal) {
    known.newest = modification;
    known.first = revision.first;
  }
}

/** The pipeline that a revision of a dependency names. */
function pipelineIn(locator: string): string {
  return locator.split('/')[0]!;
}

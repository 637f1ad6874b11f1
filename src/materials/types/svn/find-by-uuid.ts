// Finds the materials in a Subversion repository of which only the identity is given, and waits for no server that need not be waited for.
import type { Material } from '../../catalogue/material.ts';
import type { SvnUuids } from './uuids.ts';

export interface UuidFinding {
  readonly found: readonly Material[];
  /** The materials whose repositories could not be asked; only of interest when nothing is found. */
  readonly notQueried: readonly Material[];
}

export interface UuidSearch {
  /** Aborts the search when the caller has gone. */
  readonly signal: AbortSignal;
  /** Called for a material found after the search has returned: the caller no longer waits for it, but it has changed as well. */
  onFoundLater(material: Material): void;
}

/**
 * Repositories whose UUIDs are not known are asked first. A repository with another known UUID may have been replaced since: it is asked
 * again before the search ends without a result.
 */
export async function findByUuid(
  uuid: string,
  candidates: readonly Material[],
  uuids: Pick<SvnUuids, 'known' | 'ask'>,
  { signal, onFoundLater }: UuidSearch,
): Promise<UuidFinding> {
  const isWanted = (other: string | undefined) => other?.toLowerCase() === uuid.toLowerCase();
  const found = candidates.filter((material) => isWanted(uuids.known(material)));
  const notQueried: Material[] = [];
  /** Until one is found, or all have answered; the others are asked nevertheless. */
  const askAll = async (some: readonly Material[]) => {
    const { promise: firstFound, resolve } = Promise.withResolvers<void>();
    let isOver = found.length > 0;
    if (isOver) resolve();
    const answers = some.map(async (material) => {
      const answer = await uuids.ask(material, signal);
      if (answer === undefined) notQueried.push(material);
      if (!isWanted(answer)) return;
      if (isOver) return onFoundLater(material);
      found.push(material);
      resolve();
    });
    await Promise.race([firstFound, Promise.all(answers)]);
    isOver = true;
  };
  const known = candidates.filter((material) => uuids.known(material) !== undefined);
  const unknown = candidates.filter((material) => uuids.known(material) === undefined);
  await askAll(unknown);
  if (found.length === 0) await askAll(known);
  return { found: [...found], notQueried: [...notQueried] };
}

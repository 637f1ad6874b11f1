// Replaces the files of the data directory by the unpacked ones: all of them or none.
import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from '../../kit/bytes/durable-file.ts';
import { beginRestore, endRestore, isRestoreUnfinished } from '../../store/files/data-directory.ts';
import { Moves } from './moves.ts';
import { RestoreRefused } from './refused.ts';
import { movableTo, replacedIn } from './replaced-paths.ts';

export interface ReplacedFiles {
  /** The paths that were put aside. */
  readonly putAside: readonly string[];
  /** Where it is now. */
  readonly aside: string | undefined;
}

/**
 * Until all files are in their places the directory is marked, and no server starts in it. A file that cannot be moved is often only
 * found by trying, for example if it is mounted: then all goes back to where it was.
 */
export function replaceFiles(dataDir: string, staging: string, artifacts: string | undefined): ReplacedFiles {
  const wasUnfinished = isRestoreUnfinished(dataDir);
  const putAside = replacedIn(dataDir, artifacts);
  const aside = putAside.length === 0 ? undefined : newAside(dataDir);
  const moves = new Moves();
  try {
    beginRestore(dataDir);
    if (aside !== undefined) for (const name of putAside) moves.move(join(dataDir, name), join(aside, name));
    moves.sync();
    for (const name of movableTo(dataDir, staging)) moves.move(join(staging, name), join(dataDir, name));
    moves.sync();
    syncDirectory(dataDir);
    endRestore(dataDir);
  } catch (failure) {
    moveBack(moves, aside, failure);
    if (!wasUnfinished) endRestore(dataDir);
    throw new RestoreRefused('Not all files could be moved to their places. Nothing was changed.', [messageOf(failure)], {
      cause: failure,
    });
  }
  return { putAside, aside };
}

function moveBack(moves: Moves, aside: string | undefined, reason: unknown): void {
  try {
    moves.undo();
    if (aside !== undefined && existsSync(aside)) removeEmpty(aside);
  } catch (failure) {
    const where = aside === undefined ? '' : ` Old files are in ${aside}.`;
    throw new RestoreRefused(
      `Not all files could be moved to their places, nor back from there.${where} Remove the reason, and run the restore again.`,
      [messageOf(reason), messageOf(failure)],
      { cause: failure },
    );
  }
}

/** Fails at the first file: nothing that was put aside can get lost here. */
function removeEmpty(folder: string): void {
  for (const name of readdirSync(folder)) removeEmpty(join(folder, name));
  rmdirSync(folder);
}

/** A folder that is not there yet. */
function newAside(dataDir: string): string {
  const path = join(dataDir, `replaced-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`);
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(numbered)) return numbered;
  }
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

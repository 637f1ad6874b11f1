// The files of the packs of a repository: what they are called, and how they get there so that a crash leaves no half of one.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from '../durable-file.ts';
import type { Chunks } from './objects.ts';

/**
 * The name of a pack has 40 hex digits, as git wants it: the ordinal of the pack, how many objects it holds, and the
 * beginning of its checksum. Of packs with the same ordinal the larger one holds all that the smaller one holds.
 */
export interface PackName {
  readonly name: string;
  /** undefined: not one of ours. */
  readonly ordinal: number | undefined;
  readonly count: number;
}

const OWN_NAME = /^pack-([0-9a-f]{8})([0-9a-f]{8})[0-9a-f]{24}$/;
/** What git, too, begins the names of unfinished files with. */
const UNFINISHED = 'tmp_';
const MODE = 0o444;

export function packDirectory(repository: string): string {
  return join(repository, 'objects', 'pack');
}

export function packName(ordinal: number, count: number, checksum: Buffer): string {
  const digits = (number: number) => number.toString(16).padStart(8, '0');
  return `pack-${digits(ordinal)}${digits(count)}${checksum.toString('hex', 0, 12)}`;
}

/** The packs that can be read, the newest first; none where nothing was written yet, or all was lost. */
export function packsIn(repository: string): PackName[] {
  const directory = packDirectory(repository);
  return (existsSync(directory) ? readdirSync(directory) : [])
    .filter((file) => file.startsWith('pack-') && file.endsWith('.idx'))
    .map((file) => {
      const name = file.slice(0, -'.idx'.length);
      const [, ordinal, count] = OWN_NAME.exec(name) ?? [];
      const isOwn = ordinal !== undefined && count !== undefined;
      return { name, ordinal: isOwn ? Number.parseInt(ordinal, 16) : undefined, count: isOwn ? Number.parseInt(count, 16) : 0 };
    })
    .toSorted((one, other) => (other.ordinal ?? -1) - (one.ordinal ?? -1) || other.count - one.count);
}

/** The packs that no larger one has replaced, the newest first. */
export function currentPacks(repository: string): PackName[] {
  return packsIn(repository).filter(({ ordinal }, place, packs) => ordinal === undefined || ordinal !== packs[place - 1]?.ordinal);
}

/** When it returns, the pack is on disk and can be read. */
export function writePack(repository: string, name: string, pack: Chunks, index: Buffer): void {
  const directory = packDirectory(repository);
  const write = (pieces: Chunks, ending: string) => {
    // Whatever ends like an index is taken for one.
    const path = join(directory, `${UNFINISHED}${ending}_${name}`);
    const file = openSync(path, 'w', MODE);
    try {
      for (const piece of pieces) writeFileSync(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return path;
  };
  const unfinishedPack = write(pack, 'pack');
  const unfinishedIndex = write([index], 'idx');
  // A pack is found by its index, so that one comes last.
  renameSync(unfinishedPack, join(directory, `${name}.pack`));
  renameSync(unfinishedIndex, join(directory, `${name}.idx`));
  syncDirectory(directory);
}

export function removePack(repository: string, name: string): void {
  try {
    // Without its index a pack is not found any more; the other way round it would be missed.
    for (const ending of ['idx', 'pack', 'rev']) rmSync(join(packDirectory(repository), `${name}.${ending}`), { force: true });
  } catch (failure) {
    // Windows keeps a file that somebody reads; the next start removes it.
    if (!['EPERM', 'EBUSY'].includes((failure as NodeJS.ErrnoException).code ?? '')) throw failure;
  }
}

/** Removes what a crash left behind: files that never got their name, and packs without their index. */
export function removeUnfinished(repository: string): void {
  const directory = packDirectory(repository);
  const files = readdirSync(directory);
  const isWhole = (file: string) => files.includes(`${file.slice(0, file.lastIndexOf('.'))}.idx`);
  for (const file of files) {
    const isLeftOver = file.startsWith(UNFINISHED) || (OWN_NAME.test(file.split('.', 1)[0]!) && !isWhole(file));
    if (isLeftOver) rmSync(join(directory, file), { force: true });
  }
}

// The files of the packs of a repository: written so that a crash leaves no partial pack, and no reader sees a pack too early.
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from '../bytes/durable-file.ts';
import type { Chunks } from './objects.ts';
import { isOwn, newestFirst, type PackName, readPackName, withoutReplaced } from './pack-names.ts';

/** The prefixes of unfinished files, the same as in git. With an ending git would take them for finished ones. */
const HIDDEN = { pack: 'tmp_pack_', idx: 'tmp_idx_' } as const;
const MODE = 0o400;

/** Where a pack and its index are. */
export type PackPaths = { readonly [Ending in keyof typeof HIDDEN]: string };

export function packDirectory(repository: string): string {
  return join(repository, 'objects', 'pack');
}

/** The packs that can be read, the newest first; none where nothing was written yet, or all was lost. */
export function packsIn(repository: string): PackName[] {
  const names = filesIn(repository).filter((file) => file.startsWith('pack-') && file.endsWith('.idx'));
  return newestFirst(names.map((file) => readPackName(file.slice(0, -'.idx'.length))));
}

/** The packs that no other one has replaced, the newest first. */
export function currentPacks(repository: string): PackName[] {
  return withoutReplaced(packsIn(repository));
}

/** When it returns, the pack is on disk, and hidden. */
export function writeHidden(repository: string, name: string, pack: Chunks, index: Buffer): void {
  const hidden = hiddenFilesOf(repository, name);
  writeDurably(hidden.pack, pack);
  writeDurably(hidden.idx, [index]);
  syncDirectory(packDirectory(repository));
}

function writeDurably(path: string, pieces: Chunks): void {
  const file = openSync(path, 'w', MODE);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes hidden packs visible to readers; also a pack that a crash has left half revealed. */
export function reveal(repository: string, names: readonly string[]): void {
  for (const name of names) {
    const [hidden, visible] = [hiddenFilesOf(repository, name), filesOf(repository, name)];
    // A pack is found by its index, so that one comes last.
    if (existsSync(hidden.pack)) renameSync(hidden.pack, visible.pack);
    renameSync(hidden.idx, visible.idx);
  }
}

/** The hidden packs, if only they hold this commit: then all are complete. If a visible pack holds it, the hidden ones came later. */
export function hiddenWith(repository: string, commit: string): string[] {
  const id = Buffer.from(commit, 'hex');
  const isIn = (path: string) => readFileSync(path).includes(id);
  if (packsIn(repository).some(({ name }) => isIn(filesOf(repository, name).idx))) return [];
  const hidden = hiddenNames(repository);
  return hidden.some((name) => isIn(hiddenFilesOf(repository, name).idx)) ? hidden : [];
}

export function hiddenNames(repository: string): string[] {
  return filesIn(repository)
    .filter((file) => file.startsWith(HIDDEN.idx))
    .map((file) => file.slice(HIDDEN.idx.length));
}

/** All files that a copy of the history needs: of hidden packs, listed first so that none is missed that is revealed meanwhile, and of those that count. */
export function filesToCopy(repository: string): string[] {
  const hidden = filesIn(repository).filter((file) => Object.values(HIDDEN).some((beginning) => file.startsWith(beginning)));
  const current = currentPacks(repository).flatMap(({ name }) => [`${name}.pack`, `${name}.idx`]);
  return [...hidden, ...current];
}

export function removePack(repository: string, name: string): void {
  try {
    // Without its index a pack is not found any more; the other way round it would be missed.
    for (const ending of ['idx', 'pack', 'rev']) rmSync(join(packDirectory(repository), `${name}.${ending}`), { force: true });
  } catch (failure) {
    // Windows keeps a file that is being read; the next start removes it.
    if (!['EPERM', 'EBUSY'].includes((failure as NodeJS.ErrnoException).code ?? '')) throw failure;
  }
}

/** Removes the leftovers of a crash: files that never got their name, and packs without their index. */
export function removeUnfinished(repository: string): void {
  const files = filesIn(repository);
  const known = new Set(files);
  for (const file of files) {
    const name = file.split('.', 1)[0]!;
    const isLeftover = file.startsWith('tmp_') || (isOwn(readPackName(name)) && !known.has(`${name}.idx`));
    if (isLeftover) rmSync(join(packDirectory(repository), file), { force: true });
  }
}

export function filesOf(repository: string, name: string): PackPaths {
  const path = join(packDirectory(repository), name);
  return { pack: `${path}.pack`, idx: `${path}.idx` };
}

export function hiddenFilesOf(repository: string, name: string): PackPaths {
  const directory = packDirectory(repository);
  return { pack: join(directory, HIDDEN.pack + name), idx: join(directory, HIDDEN.idx + name) };
}

function filesIn(repository: string): string[] {
  const directory = packDirectory(repository);
  return existsSync(directory) ? readdirSync(directory) : [];
}

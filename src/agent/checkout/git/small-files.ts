// Small files of a repository of ours, read and written at once: a dozen of them one after the other is slower any other way.
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** undefined: there is no such file. */
export function smallText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (failure) {
    if (!NOT_THERE.has((failure as NodeJS.ErrnoException).code ?? '')) throw failure;
    return undefined;
  }
}

/** Nothing is written where the same is there. A link gives way: builds may have left one that leads anywhere. */
export function writeSmall(path: string, text: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  if (smallText(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

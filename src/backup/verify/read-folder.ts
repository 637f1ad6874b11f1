// Reads the folder of a backup: checks every file against the manifest, and puts a data directory together from them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type UnpackOptions, unpack } from '../../kit/zip/unpack.ts';
import type { ZipSeal } from '../../kit/zip/zip-file.ts';
import { DOCUMENT_FILE, HISTORY_FOLDER } from '../data-files.ts';
import { HISTORY_ZIP, MANIFEST, type Manifest, NotABackup, readManifest } from '../manifest.ts';

export function manifestIn(folder: string): Manifest {
  try {
    return readManifest(readFileSync(join(folder, MANIFEST), 'utf8'));
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw failure;
    throw new NotABackup(`${folder} is not the folder of a backup: it has no ${MANIFEST}.`);
  }
}

/** Bytes that have to be read. */
export function bytesOf({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What is damaged, in words: one line each. Without `into` it is only checked. */
export async function readFolder(
  folder: string,
  { files }: Manifest,
  { into, ...options }: Pick<UnpackOptions, 'into' | 'isDurable' | 'onBytes'>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, seal] of Object.entries(files)) {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      problems.push(`${name} is missing.`);
    } else if ('entries' in seal) {
      const target = into === undefined ? {} : { into: placeOf(name, into), wants: (entry: string) => entry !== DOCUMENT_FILE };
      problems.push(...(await unpack(path, seal as ZipSeal, { ...options, ...target })).map((problem) => `${name}: ${problem}.`));
    } else if (createHash('sha256').update(readFileSync(path)).digest('hex') !== seal.sha256) {
      problems.push(`${name} is damaged.`);
    }
  }
  return problems;
}

/** The document is made from the database, so there is no place for it. */
function placeOf(name: string, dataDir: string): string {
  const place = name === HISTORY_ZIP ? join(dataDir, HISTORY_FOLDER) : dataDir;
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return place;
}

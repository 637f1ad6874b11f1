// Reads the folder of a backup: checks every file against the manifest, and puts a data directory together from them.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../kit/hash.ts';
import { type UnpackOptions, unpack } from '../../kit/zip/unpack.ts';
import { hex } from '../../kit/zip/zip-file.ts';
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

export interface ReadFolder {
  /** What is damaged, in words: one line each. */
  readonly problems: readonly string[];
  /** The digests of the files, where they are wanted. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** Without `into` it is only checked. */
export async function readFolder(
  folder: string,
  { files }: Manifest,
  { into, ...options }: Pick<UnpackOptions, 'into' | 'durability' | 'isDigested' | 'onBytes'>,
): Promise<ReadFolder> {
  const problems: string[] = [];
  const digests: Record<string, string> = {};
  for (const [name, seal] of Object.entries(files)) {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      problems.push(`${name} is missing.`);
    } else if ('entries' in seal) {
      const target = into === undefined ? {} : { into: placeOf(name, into), wants: (entry: string) => entry !== DOCUMENT_FILE };
      const unpacked = await unpack(path, seal, { ...options, ...target });
      problems.push(...unpacked.problems.map((problem) => `${name}: ${problem}.`));
      if (unpacked.sha256 !== undefined) digests[name] = unpacked.sha256;
    } else {
      const content = readFileSync(path);
      if (hex(crc32(content)) !== seal.crc32) problems.push(`${name} is damaged.`);
      if (options.isDigested) digests[name] = sha256(content);
    }
  }
  return { problems, sha256: digests };
}

/** The document is made from the database, so there is no place for it. */
function placeOf(name: string, dataDir: string): string {
  const place = name === HISTORY_ZIP ? join(dataDir, HISTORY_FOLDER) : dataDir;
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return place;
}

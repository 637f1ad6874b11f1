// Reads the folder of a backup: checks every file against the manifest, and puts a data directory together from them.
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../kit/bytes/hash.ts';
import { HistoryReader } from '../../kit/git/history.ts';
import { type UnpackOptions, unpack } from '../../kit/zip/unpack.ts';
import { hex } from '../../kit/zip/zip-file.ts';
import { isArtifact, strayNames } from '../contents.ts';
import { DOCUMENT_FILE, HISTORY_FOLDER } from '../data-files.ts';
import { CONSOLES_ZIP, HISTORY_ZIP, MANIFEST, type Manifest } from '../manifest.ts';
import { NotABackup, readManifest } from '../read-manifest.ts';
import { REPOSITORY } from '../write/history.ts';

const MAX_NAMED = 10;
/** More than the checksums of a history of terabytes need, and less than a text can have. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export function manifestIn(folder: string): Manifest {
  try {
    const path = join(folder, MANIFEST);
    const found = lstatSync(path);
    if (!found.isFile()) throw new NotABackup(`${folder} is not the folder of a backup: its ${MANIFEST} is not a file.`);
    if (found.size > MAX_MANIFEST_BYTES) throw new NotABackup(`${folder} is not the folder of a backup: its ${MANIFEST} is too large.`);
    const manifest = readManifest(readFileSync(path, 'utf8'));
    const strays = strayNames(manifest);
    if (strays.length > 0) throw new NotABackup(describeStrays(strays));
    return manifest;
  } catch (failure) {
    const { code, syscall, message } = failure as NodeJS.ErrnoException;
    if (syscall === undefined) throw failure;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new NotABackup(
      isMissing
        ? `${folder} is not the folder of a backup: it has no ${MANIFEST}.`
        : `The ${MANIFEST} of the backup cannot be read: ${message}`,
    );
  }
}

function describeStrays(strays: readonly string[]): string {
  const more = strays.length > MAX_NAMED ? [`and ${strays.length - MAX_NAMED} more`] : [];
  return [`${MANIFEST} is not that of a backup of this server.`, ...strays.slice(0, MAX_NAMED), ...more].join('\n  ');
}

/** Bytes that have to be read. */
export function bytesOf({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

export interface ReadFolder {
  /** The damages, in words: one line each. */
  readonly problems: readonly string[];
  /** The digests of the files, where they are wanted. */
  readonly sha256: Readonly<Record<string, string>>;
}

export interface ReadOptions extends Pick<UnpackOptions, 'into' | 'durability' | 'isDigested' | 'onBytes'> {
  /** Where consoles are unpacked; absent: they are only checked. */
  readonly consolesInto?: string;
}

/** Without `into` it is only checked. */
export async function readFolder(
  folder: string,
  { files }: Manifest,
  { into, consolesInto, ...options }: ReadOptions,
): Promise<ReadFolder> {
  const problems: string[] = [];
  const digests: Record<string, string> = {};
  for (const [name, seal] of Object.entries(files)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) {
      problems.push(found ? `${name} is not a file.` : `${name} is missing.`);
    } else if ('entries' in seal) {
      const target = targetOf(name, into, consolesInto);
      const unpacked = await unpack(path, seal, { ...options, ...target });
      problems.push(...unpacked.problems.map((problem) => `${name}: ${problem}.`));
      if (unpacked.sha256 !== undefined) digests[name] = unpacked.sha256;
      if (target.into !== undefined && name === HISTORY_ZIP && unpacked.problems.length === 0) settleRepository(target.into);
    } else if (found.size !== seal.bytes) {
      problems.push(`${name} is damaged: it has ${found.size} bytes instead of ${seal.bytes}.`);
    } else {
      const content = readFileSync(path);
      if (hex(crc32(content)) !== seal.crc32) problems.push(`${name} is damaged.`);
      if (options.isDigested) digests[name] = sha256(content);
    }
  }
  return { problems, sha256: digests };
}

function targetOf(name: string, into: string | undefined, consolesInto: string | undefined): Pick<UnpackOptions, 'into' | 'wants'> {
  if (name === CONSOLES_ZIP) return consolesInto === undefined ? {} : { into: consolesInto };
  return into === undefined ? {} : { into: folderFor(name, into), wants: isUnpacked };
}

/** The document is made from the database, and present artifacts stay. The settings of git are ours: others can name programs to run. */
function isUnpacked(entry: string): boolean {
  return entry !== DOCUMENT_FILE && !isArtifact(entry) && !HistoryReader.settingsFiles.some((name) => entry === `${REPOSITORY}/${name}`);
}

/** A history that was empty stays so. */
function settleRepository(folder: string): void {
  const repository = join(folder, REPOSITORY);
  if (existsSync(repository)) new HistoryReader(repository).restore();
}

function folderFor(name: string, dataDir: string): string {
  if (name !== HISTORY_ZIP) return dataDir;
  const folder = join(dataDir, HISTORY_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

// Writes the consoles of jobs into a backup, the newest first. They only grow: each is copied up to the length it had when it was found.
import { constants } from 'node:fs';
import { lstat, open, opendir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { CONSOLE_DEPTH, CONSOLES_BELOW, isConsole } from '../contents.ts';
import type { ReportProgress } from '../jobs/progress.ts';

/** Of each one the manifest has checksums, and that is read as a whole. */
const MAX_FILES = 100_000;
const MAX_BYTES = 4 * 1024 ** 3;
/** The bytes that stay free on the disk of the backups. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const MODE = 0o600;
/** Absent on Windows. */
const { O_RDONLY, O_NOFOLLOW = 0 } = constants;

export interface ConsoleLimits {
  readonly files: number;
  readonly bytes: number;
}

interface FoundConsole {
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** Undefined: there are none. */
export async function writeConsoles(
  artifactsDir: string,
  zipPath: string,
  report: ReportProgress,
  limits: ConsoleLimits = { files: MAX_FILES, bytes: MAX_BYTES },
): Promise<ZipChecksums | undefined> {
  const found = await newestConsoles(artifactsDir, limits);
  if (found.length === 0) return undefined;
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  await mustFit(dirname(zipPath), total);
  report({ phase: 'consoles', total });
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  for (const { name, bytes } of found) {
    // It may have been deleted meanwhile.
    await using handle = await orNothing(open(join(artifactsDir, name), O_RDONLY | O_NOFOLLOW));
    if (handle) await zip.addFile(name, handle, bytes, MODE);
  }
  return zip.finish();
}

/** Holds no more than twice as many as are wanted. */
async function newestConsoles(artifactsDir: string, { files, bytes }: ConsoleLimits): Promise<FoundConsole[]> {
  let found: FoundConsole[] = [];
  for await (const one of consolesBelow(artifactsDir, CONSOLES_BELOW, 1)) {
    found.push(one);
    if (found.length > 2 * files) found = newest(found).slice(0, files);
  }
  let room = bytes;
  return newest(found)
    .slice(0, files)
    .filter((one) => {
      room -= one.bytes;
      return room >= 0;
    });
}

function newest(found: readonly FoundConsole[]): FoundConsole[] {
  return found.toSorted((one, other) => other.changedAt - one.changedAt || (one.name < other.name ? -1 : 1));
}

async function* consolesBelow(artifactsDir: string, folder: string, depth: number): AsyncGenerator<FoundConsole> {
  const entries = await orNothing(opendir(join(artifactsDir, folder)));
  if (!entries) return;
  for await (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory() && depth < CONSOLE_DEPTH) yield* consolesBelow(artifactsDir, name, depth + 1);
    if (!entry.isFile() || !isConsole(name)) continue;
    const about = await orNothing(lstat(join(artifactsDir, name)));
    if (about) yield { name, bytes: about.size, changedAt: about.mtimeMs };
  }
}

async function mustFit(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed + RESERVE_BYTES) return;
  throw new Error(`There is not enough space at ${folder} for the consoles of jobs: ${Math.ceil(needed / 1024 ** 2)} MB are needed.`);
}

/** Stages are deleted while the server runs. */
function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined;
    throw failure;
  });
}

// Restores a backup into a data directory: all of it or nothing, and never over a server that runs.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { syncDirectory } from '../../kit/bytes/durable-file.ts';
import {
  beginRestore,
  endRestore,
  isRestoreUnfinished,
  LOCK,
  lockDataDirectory,
  takeDataDirectory,
} from '../../store/files/data-directory.ts';
import { NEWEST_SCHEMA } from '../../store/migrate.ts';
import { artifactsDirectoryIn, completeRestored } from '../../store/sqlite/restored-database.ts';
import { programsIn } from '../contents.ts';
import { DATABASE_FILE } from '../data-files.ts';
import type { Manifest } from '../manifest.ts';
import { SUCCEEDED } from '../record.ts';
import { bytesOf, manifestIn, readFolder } from '../verify/read-folder.ts';
import { isEmptyFor, isReplaced, STAGING } from './places.ts';

export interface RestoreWish {
  readonly folder: string;
  readonly dataDir: string;
  /** Whether what is in the data directory is put aside. */
  readonly isReplacing: boolean;
  onBytes?(bytes: number, total: number): void;
}

export interface RestorePlan {
  readonly manifest: Manifest;
  /** What will be put aside. */
  readonly putAside: readonly string[];
  /** Files that were programs, and are not after the restore: nobody vouches for them. */
  readonly programs: readonly string[];
}

export interface Restored extends RestorePlan {
  /** Where the old files are now. */
  readonly aside: string | undefined;
}

/** The backup or the directory does not allow it; `problems` says all that is wrong. */
export class RestoreRefused extends Error {
  readonly problems: readonly string[];

  constructor(message: string, problems: readonly string[] = []) {
    super(message);
    this.problems = problems;
  }
}

/** Checks everything that `restore` would check, and changes nothing. */
export async function planRestore(wish: RestoreWish): Promise<RestorePlan> {
  const plan = outline(wish);
  // Whether it is in use can only be told by taking it.
  if (existsSync(join(wish.dataDir, LOCK))) lockDataDirectory(wish.dataDir).release();
  mustBeSound(await read(wish, plan.manifest));
  return plan;
}

/**
 * Everything is unpacked beside what is there, inside the directory: it may be a volume of its own, which cannot be renamed.
 * Until all files are in their places the directory is marked, and no server starts in it.
 */
export async function restore(wish: RestoreWish): Promise<Restored> {
  const plan = outline(wish);
  const isNew = !existsSync(wish.dataDir);
  const lock = takeDataDirectory(wish.dataDir);
  const staging = join(wish.dataDir, STAGING);
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    const problems = await read(wish, plan.manifest, staging);
    if (problems.length > 0) rmSync(isNew ? wish.dataDir : staging, { recursive: true, force: true });
    mustBeSound(problems);
    const { backup, verified } = plan.manifest;
    const endedAt = verified?.at ?? new Date().toISOString();
    completeRestored(join(staging, DATABASE_FILE), { id: backup.id, message: SUCCEEDED, endedAt, isVerified: verified !== null });
    syncFolders(staging);
    beginRestore(wish.dataDir);
    const putAside = replacedIn(wish.dataDir, artifactsOf(staging));
    const aside = moveAside(wish.dataDir, putAside);
    for (const name of readdirSync(staging)) renameSync(join(staging, name), join(wish.dataDir, name));
    rmSync(staging, { recursive: true });
    syncDirectory(wish.dataDir);
    endRestore(wish.dataDir);
    return { ...plan, putAside, aside };
  } finally {
    lock.release();
  }
}

function outline({ folder, dataDir, isReplacing }: RestoreWish): RestorePlan {
  const manifest = manifestIn(folder);
  if (manifest.schema > NEWEST_SCHEMA) {
    throw new RestoreRefused(
      `The backup has schema ${manifest.schema}, and this version of Slipway knows schemas up to ${NEWEST_SCHEMA}. Restore it with the version that made it (${manifest.version}), or a newer one.`,
    );
  }
  const found = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (!isReplacing && !isRestoreUnfinished(dataDir) && !isEmptyFor(found)) {
    throw new RestoreRefused(
      `The data directory ${dataDir} is not empty. Choose another --data-dir, or give --replace: the files that the backup replaces are then put aside.`,
    );
  }
  return { manifest, putAside: replacedIn(dataDir, ['artifacts']), programs: programsIn(manifest) };
}

async function read({ folder, onBytes }: RestoreWish, manifest: Manifest, into?: string): Promise<readonly string[]> {
  const total = bytesOf(manifest);
  const { problems } = await readFolder(folder, manifest, {
    ...(into !== undefined && { into }),
    durability: 'quick',
    onBytes: (bytes) => onBytes?.(bytes, total),
  });
  return problems;
}

function mustBeSound(problems: readonly string[]): void {
  if (problems.length > 0) throw new RestoreRefused('The backup is damaged. Nothing was changed.', problems);
}

function replacedIn(dataDir: string, artifacts: readonly string[]): string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => isReplaced(name) && !artifacts.includes(name)) : [];
}

function moveAside(dataDir: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const aside = join(dataDir, `replaced-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const name of names) renameSync(join(dataDir, name), join(aside, name));
  syncDirectory(aside);
  return aside;
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  syncDirectory(folder);
}

/** The folders for artifacts, in which backups lie, stay where they are: by default, and as the restored configuration has it. */
function artifactsOf(staging: string): string[] {
  const configured = artifactsDirectoryIn(join(staging, DATABASE_FILE));
  const [first = ''] = resolve('/', configured).split('/').slice(1);
  return ['artifacts', first];
}

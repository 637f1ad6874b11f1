// Restores a backup into a data directory: all of it or nothing, and never over a server that runs.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { syncDirectory } from '../../kit/bytes/durable-file.ts';
import { escapeInvisible } from '../../kit/text/invisible-characters.ts';
import { CopyRefused } from '../../store/copy/refused.ts';
import { isRestoreUnfinished, LOCK, lockDataDirectory, takeDataDirectory } from '../../store/files/data-directory.ts';
import { markMoved } from '../../store/files/moved.ts';
import { NEWEST_SCHEMA } from '../../store/migrate.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import type { PostgresAddress } from '../../store/postgres/connection.ts';
import { activeJobsIn, artifactsDirectoryIn, completeRestored } from '../../store/sqlite/restored-database.ts';
import { artifactsIn, programsIn } from '../contents.ts';
import { ARTIFACTS_FOLDER, DATABASE_FILE } from '../data-files.ts';
import { CONSOLES_ZIP, type Manifest } from '../manifest.ts';
import { SUCCEEDED } from '../record.ts';
import { bytesOf, manifestIn, readFolder } from '../verify/read-folder.ts';
import { type CopiedConsoles, copyConsoles } from './copy-consoles.ts';
import { RestoreRefused } from './refused.ts';
import { type ReplacedFiles, replaceFiles } from './replace-files.ts';
import { artifactsPath, isEmptyFor, isFolder, replacedIn, STAGING } from './replaced-paths.ts';

/** Where they are unpacked meanwhile, below the rest. */
const CONSOLES = '.consoles';

export interface RestoreRequest {
  readonly folder: string;
  readonly dataDir: string;
  /** Whether the content of the data directory is put aside. */
  readonly isReplacing: boolean;
  /** An empty database that gets the data; undefined: it stays in the data directory. */
  readonly target?: PostgresAddress | undefined;
  /** Called again and again, with how much of the backup is read. */
  onBytes?(done: number, total: number): void;
  /** Called, where a database gets the data, with how many rows of a table are copied. */
  onRows?(table: string, done: number, all: number): void;
}

export interface RestorePlan {
  readonly manifest: Manifest;
  /** The paths that will be put aside. */
  readonly putAside: readonly string[];
  /** Files that were executable, and are not after the restore: a backup does not prove where they come from. */
  readonly programs: readonly string[];
  /** Files of the backup that lie where artifacts are: those of the data directory stay instead. */
  readonly leftOut: readonly string[];
}

export type RestoreResult = RestorePlan & ReplacedFiles;

/** Checks everything that `restore` checks before it unpacks, and every byte; changes nothing. */
export async function planRestore(request: RestoreRequest): Promise<RestorePlan> {
  const plan = outline(request);
  if (request.target) await (await copying()).checkCopyTo(request.target);
  // Only taking the lock shows whether the directory is in use.
  if (existsSync(join(request.dataDir, LOCK))) lockDataDirectory(request.dataDir).release();
  mustBeSound(await read(request, plan.manifest));
  return plan;
}

/**
 * Everything is unpacked beside the present files, inside the directory: it may be a volume of its own, which cannot be renamed.
 * The unpacked files hold keys, so none of them stays there, even after a failure.
 */
export async function restore(request: RestoreRequest): Promise<RestoreResult> {
  const plan = outline(request);
  const { dataDir, target } = request;
  if (target) await (await copying()).checkCopyTo(target);
  const isNew = !existsSync(dataDir);
  const lock = takeDataDirectory(dataDir);
  const staging = join(dataDir, STAGING);
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    mustBeSound(await read(request, plan.manifest, staging));
    const configured = completeDatabase(join(staging, DATABASE_FILE), plan.manifest);
    const artifacts = artifactsPath(dataDir, configured);
    const leftOut = [...plan.leftOut, ...(artifacts === undefined ? [] : removeFolder(staging, artifacts))];
    const programs = plan.programs.filter((name) => !leftOut.includes(name));
    const consoles = restoreConsoles(request, plan.manifest, staging, configured);
    try {
      if (target) await copyInto(target, staging, request.onRows);
      syncFolders(staging);
      return { ...plan, programs, leftOut, ...replaceAllFiles(request, staging, artifacts) };
    } catch (failure) {
      consoles?.undo();
      throw failure;
    }
  } catch (failure) {
    if (isNew) rmSync(dataDir, { recursive: true, force: true });
    throw failure;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

/** Consoles of jobs that were under way are left out: such a job runs again, and writes its console anew. */
function restoreConsoles(
  { dataDir }: RestoreRequest,
  { files }: Manifest,
  staging: string,
  configured: string,
): CopiedConsoles | undefined {
  if (!Object.hasOwn(files, CONSOLES_ZIP)) return undefined;
  const active = activeJobsIn(join(staging, DATABASE_FILE));
  const isActive = (name: string) => active.has(name.split('/').slice(0, -2).join('/'));
  const from = join(staging, CONSOLES);
  const copied = copyConsoles(from, resolve(dataDir, configured || ARTIFACTS_FOLDER), isActive);
  rmSync(from, { recursive: true });
  return copied;
}

/** Only a restore that needs it loads the driver. */
function copying() {
  return import('../../store/copy/to-postgres.ts');
}

/** From the file that was unpacked; of that, only the mark stays. */
async function copyInto(target: PostgresAddress, staging: string, onRows: RestoreRequest['onRows']): Promise<void> {
  const { copyToPostgres } = await copying();
  await copyToPostgres({ from: join(staging, DATABASE_FILE), to: target, onRows }).catch((failure: unknown) => {
    if (failure instanceof CopyRefused) throw failure;
    throw unusable(failure);
  });
  for (const name of readdirSync(staging)) if (name.startsWith(DATABASE_FILE)) rmSync(join(staging, name));
  markMoved(staging, describeAddress(target), new Date());
}

function replaceAllFiles({ dataDir, target }: RestoreRequest, staging: string, artifacts: string | undefined): ReplacedFiles {
  try {
    return replaceFiles(dataDir, staging, artifacts);
  } catch (failure) {
    if (!target || !(failure instanceof RestoreRefused)) throw failure;
    const filled = `The database ${describeAddress(target)} has the data already: empty it before you run the restore again.`;
    throw new RestoreRefused(failure.message.replace(' Nothing was changed.', ''), [...failure.problems, filled], { cause: failure });
  }
}

function outline({ folder, dataDir, isReplacing }: RestoreRequest): RestorePlan {
  const manifest = manifestIn(folder);
  if (manifest.schema > NEWEST_SCHEMA) {
    throw new RestoreRefused(
      `The backup has schema ${manifest.schema}, and this version of Slipway knows schemas up to ${NEWEST_SCHEMA}. Restore it with the version that made it (${escapeInvisible(manifest.version)}), or a newer one.`,
    );
  }
  const found = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (!isReplacing && !isRestoreUnfinished(dataDir) && !isEmptyFor(found)) {
    throw new RestoreRefused(
      `The data directory ${dataDir} is not empty. Choose another --data-dir, or give --replace: the files that the backup replaces are then put aside.`,
    );
  }
  return { manifest, putAside: replacedIn(dataDir), programs: programsIn(manifest), leftOut: artifactsIn(manifest) };
}

async function read({ folder, onBytes }: RestoreRequest, manifest: Manifest, into?: string): Promise<readonly string[]> {
  const total = bytesOf(manifest);
  let done = 0;
  try {
    const { problems } = await readFolder(folder, manifest, {
      ...(into !== undefined && { into, consolesInto: join(into, CONSOLES) }),
      durability: 'quick',
      onBytes: (bytes) => onBytes?.((done += bytes), total),
    });
    return problems;
  } catch (failure) {
    const { syscall, message } = failure as NodeJS.ErrnoException;
    if (syscall === undefined) throw failure;
    throw new RestoreRefused('The backup cannot be read or unpacked. Nothing was changed.', [message], { cause: failure });
  }
}

function mustBeSound(problems: readonly string[]): void {
  if (problems.length > 0) throw new RestoreRefused('The backup is damaged. Nothing was changed.', problems);
}

/** Returns the artifacts directory of the configuration. Every failure here comes from the content of the file. */
function completeDatabase(path: string, { backup, verified }: Manifest): string {
  const endedAt = verified?.at ?? new Date().toISOString();
  try {
    completeRestored(path, { id: backup.id, message: SUCCEEDED, endedAt, isVerified: verified !== null });
    return artifactsDirectoryIn(path);
  } catch (failure) {
    throw unusable(failure);
  }
}

function unusable(failure: unknown): RestoreRefused {
  const sentence = `The ${DATABASE_FILE} of the backup cannot be used as a database of Slipway. Nothing was changed.`;
  return new RestoreRefused(sentence, [(failure as Error).message], { cause: failure });
}

/** Returns the files that were in it. A file in its place is none of the artifacts. */
function removeFolder(staging: string, name: string): string[] {
  const folder = join(staging, name);
  if (!isFolder(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => relative(staging, join(entry.parentPath, entry.name)));
  rmSync(folder, { recursive: true });
  return names;
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) syncFolders(join(folder, entry.name));
  syncDirectory(folder);
}

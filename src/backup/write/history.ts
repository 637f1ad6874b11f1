// Writes the history of the configuration into a backup: its git repository, and the index that says which commit is which revision.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { filesToCopy, packDirectory } from '../../kit/git/pack-files.ts';
import { readBlob } from '../../kit/git/read-object.ts';
import { BRANCH, readBranch } from '../../kit/git/skeleton.ts';
import { type ZipChecksums, ZipFile } from '../../kit/zip/zip-file.ts';
import { lastIndexed } from '../../store/sqlite/history-index.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { addDatabase } from './snapshot-entries.ts';

export const REPOSITORY = 'config.git';
const INDEX = 'index.db';
const MODE = 0o600;
const MAX_ATTEMPTS = 10;
const LOOSE_OBJECTS = /^[0-9a-f]{2}$/;

export interface WrittenHistory {
  readonly seal: ZipChecksums;
  readonly commit: string | null;
}

/**
 * The index first, then the branch, then the packs: each refers only to content of the next one, for the history never loses anything.
 * Additional content of the later ones is ignored when a server goes on with the restored history.
 */
export async function writeHistory(directory: string, zipPath: string, report: ReportProgress): Promise<WrittenHistory> {
  const zip = await ZipFile.create(zipPath, (bytes) => report({ bytes }));
  const repository = join(directory, REPOSITORY);
  const exists = existsSync(join(directory, INDEX)) && existsSync(join(repository, 'objects', 'pack'));
  const add = async () => {
    const commit = readBranch(repository);
    if (commit !== undefined) await zip.addText(`${REPOSITORY}/${BRANCH}`, `${commit}\n`, MODE);
    for (const name of ['HEAD', 'config', 'packed-refs']) await addSmall(zip, repository, name);
    for (const name of filesBelow(repository, 'refs')) if (name !== BRANCH) await addSmall(zip, repository, name);
    await addPacks(zip, repository);
    for (const name of looseObjects(repository)) await addSmall(zip, repository, name);
    return commit ?? null;
  };
  const commit = exists ? await addDatabase(zip, join(directory, INDEX), { read: add }) : null;
  return { seal: await zip.finish(), commit };
}

/** The configuration document as the history has it last; it can be made from the database, so nothing is lost without it. */
export async function lastDocument(directory: string): Promise<readonly Uint8Array[] | undefined> {
  if (!existsSync(join(directory, INDEX))) return undefined;
  const last = lastIndexed(join(directory, INDEX));
  return last && (await readBlob(join(directory, REPOSITORY), last.blob));
}

async function addSmall(zip: ZipFile, repository: string, name: string): Promise<void> {
  const path = join(repository, name);
  if (existsSync(path)) await zip.addText(`${REPOSITORY}/${name}`, readFileSync(path), MODE);
}

async function addPacks(zip: ZipFile, repository: string): Promise<void> {
  const files = await openPacks(repository);
  try {
    for (const { name, handle } of files) {
      const { size } = await handle.stat();
      await zip.addFile(`${REPOSITORY}/objects/pack/${name}`, handle, size, MODE);
    }
  } finally {
    await Promise.all(files.map(({ handle }) => handle.close()));
  }
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
}

/** All at once: an open file stays readable, also when a larger pack replaces it meanwhile. */
async function openPacks(repository: string): Promise<OpenFile[]> {
  for (let attempt = 1; ; attempt++) {
    const opened: OpenFile[] = [];
    try {
      for (const name of filesToCopy(repository)) opened.push({ name, handle: await open(join(packDirectory(repository), name)) });
      return opened;
    } catch (failure) {
      await Promise.all(opened.map(({ handle }) => handle.close()));
      if ((failure as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw failure;
    }
  }
}

function looseObjects(repository: string): string[] {
  const folders = readdirSync(join(repository, 'objects')).filter((name) => LOOSE_OBJECTS.test(name));
  return folders.flatMap((folder) => filesBelow(repository, `objects/${folder}`));
}

function filesBelow(directory: string, folder: string): string[] {
  return readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll('\\', '/'),
    );
}

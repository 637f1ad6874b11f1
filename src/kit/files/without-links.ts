// Finds and makes folders, and opens files in them. Nothing on the way may be a link: it could lead elsewhere.
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Absent on Windows. */
const { O_RDONLY, O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants;
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The path of the folder; undefined when it does not exist. */
export async function findFolder(root: string, parts: readonly string[]): Promise<string | undefined> {
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    if (!(await isFolder(path))) return undefined;
  }
  return path;
}

/** Its path, once it is there and would be there after a crash. */
export async function makeFolder(root: string, parts: readonly string[]): Promise<string> {
  let path = root;
  const changed: string[] = [];
  await mkdir(root, { recursive: true, mode: FOLDER_MODE });
  for (const part of parts) {
    const above = path;
    path = join(path, part);
    if (await isFolder(path)) continue;
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
    changed.push(above);
  }
  await Promise.all(changed.map(syncFolder));
  return path;
}

/** Something else is there than was looked for: a link, for instance. */
export class UnexpectedFileType extends Error {}

/** undefined: there is no such file. */
export async function openToRead(path: string): Promise<FileHandle | undefined> {
  return (await isFile(path)) ? open(path, O_RDONLY | O_NOFOLLOW).catch(noneIfMissing) : undefined;
}

/** Makes the file where it does not exist; then its folder is to be synced. */
export async function openToWrite(path: string): Promise<{ readonly handle: FileHandle; readonly isNew: boolean }> {
  const isNew = !(await isFile(path));
  return { handle: await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, FILE_MODE), isNew };
}

export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open a folder, and its changes are journalled
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Refused: it is something else. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await statWithoutLinks(path);
  if (found && !found.isDirectory()) throw new UnexpectedFileType(`${path} is not a folder.`);
  return found !== undefined;
}

/** Refused: it is something else. */
export async function isFile(path: string): Promise<boolean> {
  const found = await statWithoutLinks(path);
  if (found && !found.isFile()) throw new UnexpectedFileType(`${path} is not a file.`);
  return found !== undefined;
}

function statWithoutLinks(path: string) {
  return lstat(path).catch(noneIfMissing);
}

function noneIfMissing(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT') throw failure;
}

// Writes the files of a snapshot into an archive.
import { open } from 'node:fs/promises';
import type { ZipFile } from '../../kit/zip/zip-file.ts';
import { openSnapshot, type Snapshot } from '../../store/snapshot.ts';

const MODE = 0o600;

/** The database at `path`, as it is now; what `read` says of the same instant comes back. */
export async function addDatabase<T>(zip: ZipFile, path: string, folder: string, read: (snapshot: Snapshot) => Promise<T> | T): Promise<T> {
  const snapshot = openSnapshot(path);
  // Handles to the same files are closed after the snapshot: see there.
  const handles = await Promise.all(snapshot.files.map((file) => open(file.path)));
  try {
    for (const [index, { name, bytes }] of snapshot.files.entries()) await zip.addFile(folder + name, handles[index]!, bytes, MODE);
    return await read(snapshot);
  } finally {
    snapshot.close();
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

// Writes the files of a snapshot into an archive.
import { open } from 'node:fs/promises';
import type { ZipFile } from '../../kit/zip/zip-file.ts';
import { openSnapshot, type Snapshot } from '../../store/sqlite/snapshot.ts';

const MODE = 0o600;

interface SnapshotOptions<T> {
  /** Called once it is known how many bytes there will be. */
  onTotal?(bytes: number): void;
  /** Reads something of the same instant. */
  read(snapshot: Snapshot): Promise<T> | T;
}

/** Adds the database at `path` as it is now, and returns the result of `read`. */
export async function addDatabase<T>(zip: ZipFile, path: string, { onTotal, read }: SnapshotOptions<T>): Promise<T> {
  const snapshot = openSnapshot(path);
  // Handles to the same files are closed after the snapshot: see there.
  const handles = await Promise.all(snapshot.files.map((file) => open(file.path)));
  try {
    onTotal?.(snapshot.files.reduce((sum, { bytes }) => sum + bytes, 0));
    for (const [index, { name, bytes }] of snapshot.files.entries()) await zip.addFile(name, handles[index]!, bytes, MODE);
    return await read(snapshot);
  } finally {
    snapshot.close();
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

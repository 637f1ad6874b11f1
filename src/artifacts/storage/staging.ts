// The names of files that came and are not published yet. They lie side by side, and none has its final name: so no path can
// lead elsewhere, or be in the way of another one.
import { readdir } from 'node:fs/promises';
import { sha256 } from '../../kit/bytes/hash.ts';
import { findFolder } from '../../kit/files/without-links.ts';
import type { FileFacts, Uploader } from './storage.ts';

export const UPLOADS = 'uploads';
const FINISHED = /^([0-9a-f]{64})-([0-9a-f]{64})-(\d{1,16})$/;
const UPLOADER = /^(\d{1,15})-(\d{1,15})$/;

export interface StagedFile extends FileFacts {
  readonly name: string;
}

/** The key of a path, with which the names of its files here begin. */
export function keyOf(path: string): string {
  return sha256(path);
}

export function partName(key: string): string {
  return `${key}.part`;
}

/** It holds checksum and length: the server need not read the file again after a restart. */
export function finishedName(key: string, facts: FileFacts): string {
  return `${key}-${facts.sha256}-${facts.bytes}`;
}

export function stagingOf({ job, epoch }: Uploader): readonly string[] {
  return [UPLOADS, `${job}-${epoch}`];
}

/** Finished files by key; links and the like are none. */
export async function finishedFiles(root: string, uploader: Uploader): Promise<Map<string, StagedFile>> {
  const found = new Map<string, StagedFile>();
  const folder = await findFolder(root, stagingOf(uploader));
  if (folder === undefined) return found;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [name, key, digest, bytes] = FINISHED.exec(entry.name) ?? [];
    if (name !== undefined && entry.isFile()) found.set(key!, { name, sha256: digest!, bytes: Number(bytes) });
  }
  return found;
}

export async function knownUploaders(root: string): Promise<Uploader[]> {
  const folder = await findFolder(root, [UPLOADS]);
  if (folder === undefined) return [];
  return (await readdir(folder)).flatMap((name) => {
    const [, job, epoch] = UPLOADER.exec(name) ?? [];
    return job === undefined ? [] : [{ job: Number(job), epoch: Number(epoch) }];
  });
}

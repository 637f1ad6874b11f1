// The refs of a repository of ours, read from its files: a process for each question would take longer than the answer.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../destination.ts';

const LINE = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/gm;

/** undefined: there is no such ref. */
export async function revisionAt(gitFolder: string, ref: string): Promise<string | undefined> {
  const loose = await readFile(join(gitFolder, ref), 'utf8').catch(ignoreMissingFile);
  return loose?.trim() || (await packedRefs(gitFolder)).get(ref);
}

/** All of them below a folder such as `refs/tags`. */
export async function refsBelow(gitFolder: string, folder: string): Promise<Map<string, string>> {
  const found = new Map([...(await packedRefs(gitFolder))].filter(([ref]) => ref.startsWith(`${folder}/`)));
  const entries = (await readdir(join(gitFolder, folder), { recursive: true, withFileTypes: true }).catch(ignoreMissing)) ?? [];
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.lock')) continue;
    const path = join(entry.parentPath, entry.name);
    const ref = path.slice(gitFolder.length + 1).replaceAll('\\', '/');
    found.set(ref, (await readFile(path, 'utf8')).trim());
  }
  return found;
}

export async function packedRefs(gitFolder: string): Promise<Map<string, string>> {
  const text = (await readFile(join(gitFolder, 'packed-refs'), 'utf8').catch(ignoreMissingFile)) ?? '';
  return new Map([...text.matchAll(LINE)].map(([, revision, ref]) => [ref!, revision!]));
}

function ignoreMissingFile(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOTDIR' && failure.code !== 'EISDIR') ignoreMissing(failure);
  return undefined;
}

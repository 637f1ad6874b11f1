// Opens a changeset of Team Foundation version control: its program can only check out, so each opening is a new checkout.
import { open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../../../kit/bytes/hash.ts';
import { MaterialProblem, type PollContext } from '../../../clients/client.ts';
import { MAX_FILE_BYTES } from '../../../files/limits.ts';
import { Scratch } from '../../../files/scratch.ts';
import type { Content, Entry, FileSource } from '../../../files/source.ts';
import { isRevision, type TfsMaterial } from '../material.ts';
import { tfsClient } from '../tfs-client.ts';

/** Folders that the program keeps there for itself. */
const ITS_OWN = new Set(['.tf', '$tf']);

export async function openTfs(material: TfsMaterial, revision: string, context: PollContext): Promise<FileSource> {
  if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no changeset.`);
  const scratch = await Scratch.make(context.directory);
  const root = join(scratch.path, 'files');
  const links = new Set<string>();
  const readOne = (path: string, maxBytes: number) => (links.has(path) ? readTarget(root, path) : readContent(root, path, maxBytes));
  let checkingOut: Promise<void> | undefined;
  return {
    revision,
    async *all() {
      checkingOut ??= tfsClient.checkOut!(material, revision, root, context);
      await checkingOut;
      for await (const entry of walk(root, '')) {
        if (entry.isLink) links.add(entry.path);
        const { bytes } = await readOne(entry.path, MAX_FILE_BYTES);
        // A file that is too large will not be read anyway.
        yield [{ path: entry.path, id: bytes ? sha256(bytes) : revision, kind: entry.isLink ? 'link' : 'file' } satisfies Entry];
      }
    },
    since: async () => undefined,
    async *contents(entries, maxBytes) {
      for (const { path } of entries) yield await readOne(path, maxBytes);
    },
    close: () => scratch.remove(),
  };
}

async function* walk(root: string, below: string): AsyncGenerator<{ readonly path: string; readonly isLink: boolean }, void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (below !== '' || !ITS_OWN.has(entry.name)) yield* walk(root, path);
    } else if (entry.isFile() || entry.isSymbolicLink()) yield { path, isLink: entry.isSymbolicLink() };
  }
}

async function readContent(root: string, path: string, maxBytes: number): Promise<Content> {
  await using file = await open(join(root, path));
  const { size } = await file.stat();
  return { path, size, ...(size <= maxBytes && { bytes: new Uint8Array(await file.readFile()) }) };
}

async function readTarget(root: string, path: string): Promise<Content> {
  const bytes = Buffer.from(await readlink(join(root, path)));
  return { path, size: bytes.length, bytes };
}

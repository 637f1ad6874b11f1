// Finds out after a start where a history goes on: which pack ends with the last commit, and what that one holds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { applyDelta } from './apply-delta.ts';
import { type Chunks, fileIn, objectId, treeIn } from './objects.ts';
import { OpenPack, type PackOnDisk } from './open-pack.ts';
import { isSound, objectsIn } from './pack.ts';
import { readHead } from './pack-entry.ts';
import { currentPacks, type PackName, packDirectory, packsIn, removePack } from './pack-files.ts';

export interface LastRevision {
  readonly commit: string;
  readonly tree: string;
  /** Where it is not known, the next revision counts as changed. */
  readonly file: ReturnType<typeof fileIn> | undefined;
}

export interface Resumed {
  readonly pack: OpenPack;
  /** undefined: that pack is a new one. */
  readonly onDisk: PackOnDisk | undefined;
  readonly last: LastRevision;
}

/**
 * Removes the packs that came later. undefined: the commit is not there, or not as it was written.
 * Whoever has the last content at hand gives it, so that it need not be unpacked.
 */
export function resumeAfter(repository: string, commit: string, known: Chunks | undefined): Resumed | undefined {
  const read = (name: string, ending: 'pack' | 'idx') => readFileSync(join(packDirectory(repository), `${name}.${ending}`));
  const packs = packsIn(repository).filter(({ ordinal }) => ordinal !== undefined);
  const id = Buffer.from(commit, 'hex');
  const holds = ({ name }: PackName) => read(name, 'idx').includes(id);
  const newest = packs.find(holds);
  // All that grew from the first one with this commit have it, too, and more that was never noted.
  const chosen = packs.findLast((pack) => pack.ordinal === newest?.ordinal && holds(pack));
  if (!chosen) return undefined;
  const [pack, index] = [read(chosen.name, 'pack'), read(chosen.name, 'idx')];
  if (!isSound(pack, index)) return undefined;
  const ordinal = chosen.ordinal!;
  removeOthers(repository, ordinal, chosen.name);
  const objects = objectsIn(index);
  const offsets = new Map(objects.map(({ id, offset }) => [id, offset]));
  const contentOf = (wanted: string) => (offsets.has(wanted) ? contentAt(pack, offsets.get(wanted)!) : undefined);
  const tree = treeIn(Buffer.concat(contentOf(commit)!.chunks));
  const treeContent = contentOf(tree);
  const file = treeContent && fileIn(Buffer.concat(treeContent.chunks));
  const isKnown = file && known && offsets.has(file.blob) && objectId('blob', known) === file.blob;
  const blob = isKnown ? { chunks: known, depth: depthAt(pack, offsets.get(file.blob)!) } : file && contentOf(file.blob);
  const resumed = OpenPack.resume(ordinal, pack, objects, blob && { ...blob, offset: offsets.get(file!.blob)! });
  return {
    pack: resumed ?? new OpenPack(ordinal + 1),
    onDisk: resumed && { name: chosen.name, bytes: pack.length },
    last: { commit, tree, file },
  };
}

/** Packs that are not ours stay: somebody may have put older ones together. */
function removeOthers(repository: string, lastOrdinal: number, lastName: string): void {
  const earlier = currentPacks(repository).filter(({ ordinal }) => ordinal === undefined || ordinal < lastOrdinal);
  const kept = new Set([lastName, ...earlier.map(({ name }) => name)]);
  for (const { name } of packsIn(repository)) if (!kept.has(name)) removePack(repository, name);
}

/** How many deltas lie between an object and a whole one. */
function depthAt(pack: Buffer, offset: number): number {
  let depth = 0;
  for (let at = offset; ; depth++) {
    const { type, distance } = readHead(pack.subarray(at));
    if (type !== 'delta') return depth;
    at -= distance;
  }
}

function contentAt(pack: Buffer, offset: number): { readonly chunks: Chunks; readonly depth: number } {
  const deltas: Buffer[] = [];
  let at = offset;
  for (;;) {
    const { type, distance, contentAt: start } = readHead(pack.subarray(at));
    const content = inflateSync(pack.subarray(at + start));
    if (type !== 'delta') return { chunks: deltas.reduceRight<Chunks>(applyDelta, [content]), depth: deltas.length };
    deltas.push(content);
    at -= distance;
  }
}

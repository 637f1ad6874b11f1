// Finds out after a start where a history goes on: which packs end with the last commit, and the content of that commit.
import { readFileSync } from 'node:fs';
import { type Chunks, fileIn, objectId, treeIn } from './objects.ts';
import type { Base, PackPart } from './open-pack.ts';
import { isSound, objectsIn } from './pack.ts';
import { contentAt, depthAt } from './pack-content.ts';
import { filesOf, packsIn, removePack } from './pack-files.ts';
import { isOwn, type OwnPackName, withoutReplaced } from './pack-names.ts';
import { PackSeries } from './pack-series.ts';

export interface LastRevision {
  readonly commit: string;
  readonly tree: string;
  /** Where it is not known, the next revision counts as changed. */
  readonly file: ReturnType<typeof fileIn> | undefined;
}

export interface ResumedSeries {
  readonly series: PackSeries;
  readonly last: LastRevision;
  /** Packs whose content is in others. */
  readonly replaced: readonly string[];
}

/**
 * Removes the packs that came later. undefined: the commit is not there, or not as it was written.
 * A caller that has the last content at hand passes it as `known`, so that it need not be unpacked.
 */
export function resumeAfter(repository: string, commit: string, known: Chunks | undefined): ResumedSeries | undefined {
  const last = packWith(repository, commit);
  if (!last) return undefined;
  removeLaterThan(last, repository);
  const packs = packsIn(repository);
  const current = withoutReplaced(packs);
  const ofSeries = current.filter(isOwn).filter(({ ordinal }) => ordinal === last.ordinal);
  const parts = ofSeries.toSorted((one, other) => one.turn - other.turn).map(({ name }) => partOf(repository, name));
  if (!parts.every(({ isWhole }) => isWhole)) return undefined;
  const revision = lastRevisionIn(parts, commit);
  const { ordinal, turn } = last;
  const [first, ...others] = parts;
  const onDisk = ofSeries.some(({ isBatch }) => !isBatch) ? { whole: first, batches: others } : { whole: undefined, batches: parts };
  const series = PackSeries.resume(repository, { ordinal, turn, ...onDisk }, baseIn(parts, revision, known));
  const names = new Set(current.map(({ name }) => name));
  return {
    series: series ?? new PackSeries(repository, ordinal + 1),
    last: revision,
    replaced: packs.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

/** The one that ends with the commit, as far as is known: later ones of its series have it, too, and more that was never noted. */
function packWith(repository: string, commit: string): OwnPackName | undefined {
  const id = Buffer.from(commit, 'hex');
  const holds = ({ name }: OwnPackName) => readFileSync(filesOf(repository, name).idx).includes(id);
  const packs = packsIn(repository).filter(isOwn);
  const newest = packs.find(holds);
  const same = packs.filter(({ ordinal }) => ordinal === newest?.ordinal);
  // Batches that were replaced may be there by halves.
  return same.findLast((pack) => !pack.isBatch && holds(pack)) ?? same.findLast(holds);
}

/** Packs that are not ours stay: an administrator may have repacked older ones. */
function removeLaterThan(last: OwnPackName, repository: string): void {
  for (const { name, ordinal, turn } of packsIn(repository)) {
    if (ordinal !== undefined && (ordinal > last.ordinal || (ordinal === last.ordinal && turn > last.turn))) removePack(repository, name);
  }
}

function partOf(repository: string, name: string): PackPart & { readonly isWhole: boolean } {
  const [pack, index] = [readFileSync(filesOf(repository, name).pack), readFileSync(filesOf(repository, name).idx)];
  const isWhole = isSound(pack, index);
  return { name, pack, objects: isWhole ? objectsIn(index) : [], isWhole };
}

function lastRevisionIn(parts: readonly PackPart[], commit: string): LastRevision {
  const tree = treeIn(Buffer.concat(contentOf(parts, commit)!.chunks));
  const content = contentOf(parts, tree);
  return { commit, tree, file: content && fileIn(Buffer.concat(content.chunks)) };
}

function baseIn(parts: readonly PackPart[], { file }: LastRevision, known: Chunks | undefined): Base | undefined {
  const location = file && locate(parts, file.blob);
  if (!location) return undefined;
  const isKnown = known && objectId('blob', known) === file.blob;
  return {
    id: file.blob,
    ...(isKnown ? { chunks: known, depth: depthAt(location.pack, location.offset) } : contentAt(location.pack, location.offset)),
  };
}

function contentOf(parts: readonly PackPart[], id: string): ReturnType<typeof contentAt> | undefined {
  const location = locate(parts, id);
  return location && contentAt(location.pack, location.offset);
}

function locate(parts: readonly PackPart[], id: string): { readonly pack: Buffer; readonly offset: number } | undefined {
  for (const { pack, objects } of parts.toReversed()) {
    const found = objects.find((object) => object.id === id);
    if (found) return { pack, offset: found.offset };
  }
  return undefined;
}

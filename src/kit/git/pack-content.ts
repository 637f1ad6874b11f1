// Reads objects of a pack that is in memory.
import { inflateSync } from 'node:zlib';
import { applyDelta } from './apply-delta.ts';
import type { Chunks } from './objects.ts';
import type { PackedObject } from './pack.ts';
import { readHead } from './pack-entry.ts';

/** How many deltas lie between an object and a whole one. */
export function depthAt(pack: Buffer, offset: number): number {
  let depth = 0;
  for (let at = offset; ; depth++) {
    const { type, distance } = readHead(pack.subarray(at));
    if (type !== 'delta') return depth;
    at -= distance;
  }
}

export function contentAt(pack: Buffer, offset: number): { readonly chunks: Chunks; readonly depth: number } {
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

export function commitsIn({ pack, objects }: { readonly pack: Buffer; readonly objects: readonly PackedObject[] }): number {
  return objects.filter(({ offset }) => readHead(pack.subarray(offset)).type === 'commit').length;
}

// Applies a delta without copying the kept bytes: the result consists of slices of the base and of the delta.
import { type Chunks, sizeOf } from './objects.ts';

/** No size at all stands for this one. */
const COPY_OF_NO_SIZE = 0x1_00_00;

export function applyDelta(base: Chunks, delta: Buffer): Chunks {
  const result: Buffer[] = [];
  const pieces = piecesOf(base);
  let inserted: Buffer[] = [];
  let at = 0;
  const readSize = () => {
    let size = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = delta[at++];
      if (byte === undefined) throw new Error('The delta ends in its head.');
      size += (byte & 0x7f) * scale;
      if (byte < 0x80) return size;
    }
  };
  const readBytes = (mark: number, count: number) => {
    let value = 0;
    for (let byte = 0; byte < count; byte++) if (mark & (1 << byte)) value += delta[at++]! * 2 ** (8 * byte);
    return value;
  };
  const flush = () => {
    if (inserted.length > 0) result.push(inserted.length === 1 ? inserted[0]! : Buffer.concat(inserted));
    inserted = [];
  };
  const baseSize = readSize();
  const targetSize = readSize();
  if (baseSize !== pieces.size) throw new Error(`The delta is for a base of ${baseSize} bytes, not ${pieces.size}.`);
  while (at < delta.length) {
    const mark = delta[at++]!;
    if (mark & 0x80) {
      flush();
      const from = readBytes(mark & 0x0f, 4);
      const size = readBytes((mark >> 4) & 0x07, 3) || COPY_OF_NO_SIZE;
      pieces.copy(from, size, result);
    } else {
      inserted.push(delta.subarray(at, at + mark));
      at += mark;
    }
  }
  flush();
  if (sizeOf(result) !== targetSize) throw new Error(`The delta should give ${targetSize} bytes, not ${sizeOf(result)}.`);
  return result;
}

function piecesOf(chunks: Chunks) {
  const starts: number[] = [];
  let size = 0;
  for (const { length } of chunks) {
    starts.push(size);
    size += length;
  }
  /** The piece that holds this byte. */
  const pieceAt = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    size,
    copy: (from: number, length: number, to: Buffer[]) => {
      if (from + length > size) throw new Error('The delta copies from beyond the end of its base.');
      let rest = length;
      for (let piece = pieceAt(from), within = from - starts[piece]!; rest > 0; piece++, within = 0) {
        const slice = chunks[piece]!.subarray(within, within + rest);
        to.push(slice);
        rest -= slice.length;
      }
    },
  };
}

// The difference between two lists of chunks, in git's delta format: copies from the base, and inserted bytes.
import { type Chunks, sizeOf } from './objects.ts';

type Step = { readonly from: number; size: number } | { readonly bytes: Buffer };

const MAX_COPY_BYTES = 0xff_ff_ff;
const MAX_INSERT_BYTES = 0x7f;
const MAX_STEP_BYTES = 8;
/** A copy takes up to eight bytes itself. */
const MIN_COPY_BYTES = 9;
const BLOCK = 1024;

export function makeDelta(base: Chunks, target: Chunks): Buffer {
  return encode(sizeOf(base), sizeOf(target), stepsBetween(base, target));
}

function stepsBetween(base: Chunks, target: Chunks): readonly Step[] {
  const steps: Step[] = [];
  const first = sameAtStart(base, target);
  const tail = sameAtEnd(base, target, first);
  const pastBase = base.length - tail;
  const indexes = new Map<Buffer, number>();
  const offsets = new Map<number, number>();
  let offset = 0;
  for (let at = 0; at < first; at++) offset += base[at]!.length;
  copy(steps, 0, offset);
  for (let at = first; at <= pastBase; at++) {
    offsets.set(at, offset);
    if (at === pastBase) break;
    indexes.set(base[at]!, at);
    offset += base[at]!.length;
  }
  let reached = first;
  let unknown: Buffer[] = [];
  for (const chunk of target.slice(first, target.length - tail)) {
    const index = indexes.get(chunk);
    if (index === undefined) {
      unknown.push(chunk);
      continue;
    }
    replace(steps, base.slice(reached, index), offsets.get(reached)!, unknown);
    copy(steps, offsets.get(index)!, chunk.length);
    reached = index + 1;
    unknown = [];
  }
  replace(steps, base.slice(reached, pastBase), offsets.get(reached)!, unknown);
  copy(steps, offset, sizeOf(base.slice(pastBase)));
  return steps;
}

/** Puts `fresh` in the place of `old`; of one piece for another often only few bytes differ. */
function replace(steps: Step[], old: Chunks, oldOffset: number, fresh: Chunks): void {
  if (fresh.length === 0) return;
  if (old.length !== fresh.length) {
    replaceBytes(steps, Buffer.concat(old), oldOffset, Buffer.concat(fresh));
    return;
  }
  let offset = oldOffset;
  for (let at = 0; at < old.length; at++) {
    replaceBytes(steps, old[at]!, offset, fresh[at]!);
    offset += old[at]!.length;
  }
}

function replaceBytes(steps: Step[], old: Buffer, oldOffset: number, fresh: Buffer): void {
  const start = worthwhile(commonStart(old, fresh));
  const end = worthwhile(commonEnd(old.subarray(start), fresh.subarray(start)));
  copy(steps, oldOffset, start);
  insert(steps, fresh.subarray(start, fresh.length - end));
  copy(steps, oldOffset + old.length - end, end);
}

function worthwhile(size: number): number {
  return size < MIN_COPY_BYTES ? 0 : size;
}

function copy(steps: Step[], from: number, size: number): void {
  if (size === 0) return;
  const last = steps.at(-1);
  if (last && 'from' in last && last.from + last.size === from) last.size += size;
  else steps.push({ from, size });
}

function insert(steps: Step[], bytes: Buffer): void {
  if (bytes.length > 0) steps.push({ bytes });
}

function sameAtStart(one: Chunks, other: Chunks): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count < max && one[count] === other[count]) count++;
  return count;
}

function sameAtEnd(one: Chunks, other: Chunks, taken: number): number {
  const max = Math.min(one.length, other.length) - taken;
  let count = 0;
  while (count < max && one[one.length - 1 - count] === other[other.length - 1 - count]) count++;
  return count;
}

/** How many bytes two texts have in common at their beginning. */
function commonStart(one: Buffer, other: Buffer): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count + BLOCK <= max && one.compare(other, count, count + BLOCK, count, count + BLOCK) === 0) count += BLOCK;
  while (count < max && one[count] === other[count]) count++;
  return count;
}

function commonEnd(one: Buffer, other: Buffer): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  const isSameBlock = () => {
    const [end, otherEnd] = [one.length - count, other.length - count];
    return one.compare(other, otherEnd - BLOCK, otherEnd, end - BLOCK, end) === 0;
  };
  while (count + BLOCK <= max && isSameBlock()) count += BLOCK;
  while (count < max && one[one.length - 1 - count] === other[other.length - 1 - count]) count++;
  return count;
}

function encode(baseSize: number, targetSize: number, steps: readonly Step[]): Buffer {
  const maxBytes = steps.reduce((sum, step) => sum + maxBytesOf(step), 2 * MAX_STEP_BYTES);
  const delta = Buffer.allocUnsafe(maxBytes);
  let end = writeSize(delta, writeSize(delta, 0, baseSize), targetSize);
  for (const step of steps) end = 'bytes' in step ? writeInsert(delta, end, step.bytes) : writeCopy(delta, end, step.from, step.size);
  return delta.subarray(0, end);
}

function maxBytesOf(step: Step): number {
  if ('bytes' in step) return step.bytes.length + Math.ceil(step.bytes.length / MAX_INSERT_BYTES);
  return Math.ceil(step.size / MAX_COPY_BYTES) * MAX_STEP_BYTES;
}

function writeSize(delta: Buffer, start: number, size: number): number {
  let at = start;
  let rest = size;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) delta[at++] = (rest % 0x80) | 0x80;
  delta[at++] = rest;
  return at;
}

function writeInsert(delta: Buffer, start: number, bytes: Buffer): number {
  let at = start;
  for (let done = 0; done < bytes.length; done += MAX_INSERT_BYTES) {
    const piece = bytes.subarray(done, done + MAX_INSERT_BYTES);
    delta[at] = piece.length;
    delta.set(piece, at + 1);
    at += 1 + piece.length;
  }
  return at;
}

/** The first byte says which of four bytes of the offset and three of the size follow: those that are not zero. */
function writeCopy(delta: Buffer, start: number, from: number, size: number): number {
  let at = start;
  for (let done = 0; done < size; done += MAX_COPY_BYTES) {
    const head = at++;
    let mark = 0x80;
    const put = (value: number, count: number, firstBit: number) => {
      for (let byte = 0; byte < count; byte++) {
        const bits = (value >>> (8 * byte)) & 0xff;
        if (bits === 0) continue;
        mark |= firstBit << byte;
        delta[at++] = bits;
      }
    };
    put(from + done, 4, 0x01);
    put(Math.min(size - done, MAX_COPY_BYTES), 3, 0x10);
    delta[head] = mark;
  }
  return at;
}

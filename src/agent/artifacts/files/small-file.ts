// Reads a small file whole, with its checksums. At once: asking another thread for each step would take longer than the steps.
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { unreadable } from '../context.ts';
import type { Digests } from '../digest/digests.ts';

/** What was a file may be a pipe or a link by now: neither may hold the agent up. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface SmallFile extends Digests {
  readonly content: Buffer;
}

/** `changed`: it is being written; `large`: it does not fit. */
export function readSmall(real: string, name: string, room: Buffer): SmallFile | 'changed' | 'large' {
  let file: number;
  try {
    file = openSync(real, OPEN_FLAGS);
  } catch (failure) {
    throw unreadable(name, failure);
  }
  try {
    const before = fstatSync(file);
    if (!before.isFile()) return 'changed';
    const length = readFully(file, room);
    if (length === room.length) return 'large';
    if (length !== before.size || !isSame(before, fstatSync(file))) return 'changed';
    const content = room.subarray(0, length);
    return { content, sha256: hash('sha256', content), md5: hash('md5', content) };
  } catch (failure) {
    throw unreadable(name, failure);
  } finally {
    closeSync(file);
  }
}

function readFully(file: number, room: Buffer): number {
  for (let length = 0; ; ) {
    const bytes = readSync(file, room, length, room.length - length, null);
    length += bytes;
    if (bytes === 0 || length === room.length) return length;
  }
}

export function isSame(one: Stats, other: Stats): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

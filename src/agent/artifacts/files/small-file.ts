// Reads a small file whole, with its checksums. At once: asking another thread for each step would take longer than the steps.
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { unreadable } from '../context.ts';
import type { Digests } from '../digest/digests.ts';

/** A former file may be a pipe or a link by now: neither may hold the agent up. */
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
    if (!before.isFile() || !isAt(file, real)) return 'changed';
    const length = readFully(file, room, before.size);
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

/** Whether an open file lies where its real path says: a folder above it may have become a link that leads out. Checked on Linux only. */
export function isAt(file: number, real: string): boolean {
  try {
    return process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${file}`) === real;
  } catch (failure) {
    // Without /proc this cannot be checked.
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw failure;
  }
}

/** As much as there should be, or all of it where there is less. Whether there is more by now shows in its size. */
function readFully(file: number, room: Buffer, expected: number): number {
  const maxBytes = Math.min(expected, room.length);
  for (let length = 0; ; ) {
    const bytes = length < maxBytes ? readSync(file, room, length, maxBytes - length, null) : 0;
    length += bytes;
    if (bytes === 0) return length;
  }
}

export function isSame(one: Stats, other: Stats): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

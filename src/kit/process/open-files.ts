// How many files and connections this process may have open at the same time.
import { readFileSync } from 'node:fs';

/** Where the system does not report a limit, as many as most systems allow. */
const DEFAULT_MAX_OPEN_FILES = 1024;

export function maxOpenFiles(): number {
  try {
    return limitIn(readFileSync('/proc/self/limits', 'utf8')) ?? DEFAULT_MAX_OPEN_FILES;
  } catch {
    return DEFAULT_MAX_OPEN_FILES; // only Linux has this file
  }
}

/** The soft limit. */
export function limitIn(text: string): number | undefined {
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(text) ?? [];
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : soft === undefined ? undefined : Number(soft);
}

/** For the database, logs, repositories and programs. */
const RESERVED = 200;
const MIN_CONNECTIONS = 100;
const MIN_TRANSFERS = 50;

export interface OpenFileShares {
  readonly connections: number;
  /** Files that are sent or fetched over connections: one for each of them, or many for one that asks ahead. */
  readonly transfers: number;
}

/** Without open files left nothing works any more, so connections and transfers leave some to the rest of the server. */
export function shareOf(max: number): OpenFileShares {
  const free = max - RESERVED;
  const transfers = Math.max(MIN_TRANSFERS, Math.floor(free / 4));
  return { connections: Math.max(MIN_CONNECTIONS, free - transfers), transfers };
}

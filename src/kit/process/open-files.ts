// How many files and connections this process may have open at the same time.
import { readFileSync } from 'node:fs';

/** Where the system does not tell, as many as most systems allow. */
const USUAL = 1024;

export function mostOpenFiles(): number {
  try {
    return limitIn(readFileSync('/proc/self/limits', 'utf8')) ?? USUAL;
  } catch {
    return USUAL; // only Linux has this file
  }
}

/** The soft limit. */
export function limitIn(text: string): number | undefined {
  const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(text) ?? [];
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : soft === undefined ? undefined : Number(soft);
}

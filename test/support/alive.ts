// Whether a process of another program still runs.
import { readFileSync } from 'node:fs';

/** One that nobody has asked for its end yet is dead, too. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

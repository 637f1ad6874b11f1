// The lock on a work directory: one agent works in it. That of a process that is dead is taken over.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '../processes/proc.ts';
import { LOCK_FILE } from './layout.ts';

const MODE = 0o600;
const ATTEMPTS = 10;

/** One process, and no other that gets its number later. */
export interface Holder {
  readonly pid: number;
  /** Undefined where the system does not report it. */
  readonly started?: number;
  /** Of the machine; after another start the numbers mean other processes. */
  readonly boot?: string;
}

export interface WorkDirLock {
  release(): void;
}

/** The lock, or the process that has it. */
export function lockWorkDir(workDir: string): WorkDirLock | { readonly holder: number } {
  const path = join(workDir, LOCK_FILE);
  const own = JSON.stringify(holderOf(process.pid));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, own, { mode: MODE });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (isLinked(unfinished, path)) return { release: () => release(path, own) };
      const text = textOf(path);
      if (text === undefined) continue; // it was released meanwhile
      const holder = holderIn(text);
      if (holder && isRunning(holder)) return { holder: holder.pid };
      removeStale(path, text);
    }
    throw new Error(`The lock ${path} changes hands all the time.`);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The process with this number, which runs now. */
export function holderOf(pid: number): Holder {
  return { pid, started: factsOf(pid)?.started, boot: bootId() };
}

/** A link appears as a whole, and only if there is nothing of its name. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw failure;
  }
}

/** Only the one that was read: another agent may have taken it over already. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${process.pid}.dead`;
  try {
    renameSync(path, aside);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return; // another one was quicker
    throw failure;
  }
  if (textOf(aside) !== text) isLinked(aside, path);
  rmSync(aside, { force: true });
}

function release(path: string, own: string): void {
  if (textOf(path) === own) rmSync(path, { force: true });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

export function holderIn(text: string): Holder | undefined {
  try {
    const { pid, started, boot } = JSON.parse(text) as Partial<Holder>;
    return Number.isSafeInteger(pid) && pid !== undefined && pid > 0 ? { pid, started, boot } : undefined;
  } catch {
    return undefined; // cut off by a full disk or a crash: no process holds the lock
  }
}

export function isRunning({ pid, started, boot }: Holder): boolean {
  if (started !== undefined) {
    const facts = factsOf(pid);
    return boot === bootId() && facts !== undefined && facts.started === started && !facts.isDead;
  }
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined; // only Linux has it
  }
}

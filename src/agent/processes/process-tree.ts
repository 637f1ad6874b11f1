// The processes of a task: the program itself and all its descendants, also those that left its process group or its session.
import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import {
  allProcesses,
  ancestorsOf,
  factsOf,
  hasInEnvironment,
  outputsOf,
  type ProcessFacts,
  processesFrom,
  startedProcessCount,
  workingDirectoryOf,
} from './proc.ts';

/** In the environment of every task; descendants inherit it. */
export const MARKER = 'SLIPWAY_JOB';

/** The prefix of the markers of all processes of one agent. */
export function markerOf(uuid: string): string {
  return `agent-${uuid}`;
}

/** What distinguishes the processes of a task from others. */
export interface Origin {
  /** The program that the agent started; it leads a group and a session of its own. */
  readonly pid: number;
  /** When it was started; older processes do not descend from it. Undefined where the system does not report it. */
  readonly started: number | undefined;
  /** How many processes the machine had started then. */
  readonly startedBefore: number | undefined;
  /** A text in the environment of all of them. */
  readonly marker: string;
  /** The pipes that its output goes to: a process that holds one of them belongs to it. */
  readonly outputs: readonly string[];
  /** Where only tasks of this agent work, if there is such a folder. */
  readonly folder: string | undefined;
}

/** To be called in the turn in which the program was started: until the end of that it is there, even if it has ended. */
export function originOf(pid: number, marker: string, folder?: string): Origin {
  const started = factsOf(pid)?.started;
  // Where processes cannot be looked at, the folder may be spelled in any way.
  const real = folder === undefined || started === undefined ? undefined : realFolder(folder);
  return { pid, started, startedBefore: startedProcessCount(), marker, outputs: outputsOf(pid), folder: real };
}

/** undefined: it is gone, so nothing works in it. */
function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

/** The processes of a task that run. */
export function processTreeOf(origin: Origin): readonly ProcessFacts[] {
  const { pid, started, startedBefore, marker, outputs } = origin;
  if (started === undefined) return [];
  const isOrphan = orphansIn(origin);
  const possible = processesFrom(pid, startedBefore).filter((one) => one.started >= started && one.pid !== process.pid);
  const isDirect = (one: ProcessFacts) =>
    one.pid === pid ||
    one.group === pid ||
    one.session === pid ||
    hasInEnvironment(one.pid, marker) ||
    (outputs.length > 0 && outputsOf(one.pid).some((output) => outputs.includes(output))) ||
    isOrphan(one);
  return withDescendants(possible, possible.filter(isDirect)).filter(({ isDead }) => !isDead);
}

/**
 * Processes without any other trace of the task still work in the folder. Only orphans count: the shell of an administrator who looks
 * around there has a parent, or the session that the agent was started from.
 */
function orphansIn({ folder, marker }: Origin): (one: ProcessFacts) => boolean {
  if (folder === undefined) return () => false;
  const above = ancestorsOf(process.pid);
  const [adopters, sessions] = [new Set([1, ...above.map(({ pid }) => pid)]), new Set(above.map(({ session }) => session))];
  const ofAgent = marker.slice(0, marker.lastIndexOf('.'));
  return ({ pid, parent, session }) =>
    adopters.has(parent) &&
    !sessions.has(session) &&
    `${workingDirectoryOf(pid)}${sep}`.startsWith(`${folder}${sep}`) &&
    // Where the agent is the first process of a container, it adopts, and has children of its own: the task of a cancel.
    !hasInEnvironment(pid, ofAgent);
}

/** All processes that have a text in their environment, and those that descend from them. */
export function markedProcesses(marker: string): readonly ProcessFacts[] {
  const all = allProcesses().filter(({ pid }) => pid !== process.pid);
  const marked = all.filter(({ pid }) => hasInEnvironment(pid, marker));
  return withDescendants(all, marked).filter(({ isDead }) => !isDead);
}

function withDescendants(all: readonly ProcessFacts[], some: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found = new Map(some.map((one) => [one.pid, one]));
  // The loop over a map also visits entries that are added meanwhile.
  for (const [pid] of found) for (const child of byParent.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, child);
  return [...found.values()];
}

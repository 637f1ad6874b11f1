// The processes of a task: the program itself and all that descends from it, also what left its process group or its session.
import { allProcesses, factsOf, hasInEnvironment, outputsOf, type ProcessFacts, processesFrom, startedSoFar } from './proc.ts';

/** In the environment of every task; descendants inherit it. */
export const MARKER = 'SLIPWAY_JOB';

/** What that begins with for all that one agent runs. */
export function markerOf(uuid: string): string {
  return `agent-${uuid}`;
}

/** How the processes of a task are told from others. */
export interface Origin {
  /** The program that the agent started; it leads a group and a session of its own. */
  readonly pid: number;
  /** When it was started; what is older does not descend from it. Undefined where the system does not tell. */
  readonly started: number | undefined;
  /** How many processes the machine had started then. */
  readonly startedBefore: number | undefined;
  /** A text in the environment of all of them. */
  readonly marker: string;
  /** The pipes that its output goes to: whoever holds them belongs to it. */
  readonly outputs: readonly string[];
}

/** To be called in the turn in which the program was started: until the end of that it is there, even if it has ended. */
export function originOf(pid: number, marker: string): Origin {
  return { pid, started: factsOf(pid)?.started, startedBefore: startedSoFar(), marker, outputs: outputsOf(pid) };
}

/** Those that run. */
export function familyOf(origin: Origin): readonly ProcessFacts[] {
  const { pid, started, startedBefore, marker, outputs } = origin;
  if (started === undefined) return [];
  const possible = processesFrom(pid, startedBefore).filter((one) => one.started >= started && one.pid !== process.pid);
  const isDirect = (one: ProcessFacts) =>
    one.pid === pid ||
    one.group === pid ||
    one.session === pid ||
    hasInEnvironment(one.pid, marker) ||
    (outputs.length > 0 && outputsOf(one.pid).some((output) => outputs.includes(output)));
  return withDescendants(possible, possible.filter(isDirect)).filter(({ isDead }) => !isDead);
}

/** All processes that have a text in their environment, and those that descend from them. */
export function markedBy(marker: string): readonly ProcessFacts[] {
  const all = allProcesses().filter(({ pid }) => pid !== process.pid);
  const marked = all.filter(({ pid }) => hasInEnvironment(pid, marker));
  return withDescendants(all, marked).filter(({ isDead }) => !isDead);
}

function withDescendants(all: readonly ProcessFacts[], some: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found = new Map(some.map((one) => [one.pid, one]));
  // A map also visits what is added meanwhile.
  for (const [pid] of found) for (const child of byParent.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, child);
  return [...found.values()];
}

// Reads processes from `/proc` of Linux. On other systems there is nothing to read, and only process groups are known.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In ticks since the machine started; a pid with another one is another process. */
  readonly started: number;
  /** A zombie: it has ended, and its parent has not read its exit code yet. */
  readonly isDead: boolean;
}

export function allProcesses(): readonly ProcessFacts[] {
  return pids().flatMap((pid) => factsOf(pid) ?? []);
}

/** How many processes and threads the machine has started so far; undefined: this is not Linux. */
export function startedProcessCount(): number | undefined {
  return numberIn('/proc/stat', /^processes (\d+)$/m);
}

/**
 * The processes that may have been started after this one, when the machine had started so many. Numbers are given out in order: as long
 * as they have not begun again at the lowest, only those above it need a look, which are few where a machine has hundreds.
 */
export function processesFrom(pid: number, startedThen: number | undefined): readonly ProcessFacts[] {
  const all = pids();
  // Asked afterwards: all in the list were given their numbers before.
  const candidates = areNumbersInOrder(pid, startedThen) ? all.filter((one) => one >= pid) : all;
  return candidates.flatMap((one) => factsOf(one) ?? []);
}

function areNumbersInOrder(pid: number, startedThen: number | undefined): boolean {
  const last = numberIn('/proc/loadavg', / (\d+)$/m);
  const maxPid = numberIn('/proc/sys/kernel/pid_max', /^(\d+)$/m);
  const started = startedProcessCount();
  if (last === undefined || maxPid === undefined || started === undefined || startedThen === undefined) return false;
  // With fewer than all of them given out, the newest is above the first one only where they have not begun again.
  return last >= pid && started - startedThen < maxPid / 2;
}

function numberIn(file: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(file, 'latin1'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined; // not Linux
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return []; // not Linux
  }
}

/** Undefined when there is no such process, or this is not Linux. */
export function factsOf(pid: number): ProcessFacts | undefined {
  try {
    return factsIn(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined; // it has ended
  }
}

/** The name of the program stands in brackets and may contain anything, brackets too. */
export function factsIn(pid: number, stat: string): ProcessFacts {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(fields[19]),
    isDead: state === 'Z' || state === 'X',
  };
}

/** Whether its environment had this text when it started. That of another user cannot be read. */
export function hasInEnvironment(pid: number, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(text);
  } catch {
    return false;
  }
}

/** The pipes and sockets behind its standard output and error. */
export function outputsOf(pid: number): readonly string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return /^(?:pipe|socket):/.test(target) ? [target] : [];
    } catch {
      return []; // it has ended, or is another user's
    }
  });
}

/** Undefined when it has ended, or is another user's. */
export function workingDirectoryOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The process itself, its parent, and so on. One of them adopts the orphans among their descendants. */
export function ancestorsOf(pid: number): readonly ProcessFacts[] {
  const found: ProcessFacts[] = [];
  for (let one = factsOf(pid); one; one = one.parent === 0 ? undefined : factsOf(one.parent)) found.push(one);
  return found;
}

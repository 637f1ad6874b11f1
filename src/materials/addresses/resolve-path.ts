// Where a path leads to, found step by step as the system goes: `..` after a link leaves the place that the link leads to, not the link.
import { lstatSync, readlinkSync, realpathSync, type Stats, statfsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { MaterialProblem } from '../clients/client.ts';

const MAX_LINKS = 40;
/** Paths at which every process finds something else; the directory in which it works, for example. */
const PER_PROCESS = /^\/(?:proc|\.vol|dev\/(?:fd|stdin|stdout|stderr))(?:\/|$)/i;
const PROCESS_FILES = 0x9fa0;
const PER_PROCESS_MESSAGE = 'The address leads through a folder like /proc/self, which is different for every program.';
const BACK_FROM_NOWHERE = 'The address uses .. after a directory that does not exist.';
const TOO_MANY_LINKS = 'The address leads through too many links.';
/** Maximum length of a path: no system opens longer ones. */
const MAX_PATH_LENGTH = 4096;
const TOO_LONG = `The path must not be longer than ${MAX_PATH_LENGTH} characters.`;
const NO_PATH = 'The address holds a character that no path can have.';

/** Called for each place that is entered by a name, as it is really called, before anything is read there; throws to go no further. */
export type OnEntered = (path: string, stats: Stats | undefined) => void;

/** `from`, where relative paths begin, is a result of this function. A missing entry at the end of a path leads to itself. */
export function resolvePath(path: string, from: string, onEntered: OnEntered): string {
  if (path.includes('\0')) throw new MaterialProblem(NO_PATH);
  if (path.length > MAX_PATH_LENGTH) throw new MaterialProblem(TOO_LONG);
  return sep === '/' ? stepByStep(path, from, onEntered) : atOnce(path, from, onEntered);
}

function stepByStep(path: string, from: string, onEntered: OnEntered): string {
  let at = path.startsWith('/') ? [] : namesIn(from);
  const ahead = namesIn(path).toReversed();
  let isDirectory = true;
  let links = 0;
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '..') {
      if (!isDirectory) throw new MaterialProblem(BACK_FROM_NOWHERE);
      at.pop();
      continue;
    }
    const parent = joined(at);
    at.push(name);
    const resolved = joined(at);
    if (PER_PROCESS.test(resolved)) throw new MaterialProblem(PER_PROCESS_MESSAGE);
    const stats = statsOf(resolved);
    onEntered(resolved, stats);
    isDirectory = stats?.isDirectory() ?? false;
    if (!stats?.isSymbolicLink()) continue;
    if (isOfProcesses(parent)) throw new MaterialProblem(PER_PROCESS_MESSAGE);
    if (++links > MAX_LINKS) throw new MaterialProblem(TOO_MANY_LINKS);
    const target = readlinkSync(resolved);
    at = target.startsWith('/') ? [] : namesIn(parent);
    ahead.push(...namesIn(target).toReversed());
    isDirectory = true;
  }
  return joined(at);
}

/** For systems that take `..` out of a path before they follow links, as Windows does. */
function atOnce(path: string, from: string, onEntered: OnEntered): string {
  const whole = resolve(from, path);
  for (let part = whole; ; part = dirname(part)) {
    const stats = statsOf(part);
    if (!stats && dirname(part) !== part) continue;
    const resolved = stats ? `${realpathSync.native(part)}${whole.slice(part.length)}` : whole;
    onEntered(resolved, stats);
    return resolved;
  }
}

/** Whether links in this directory are those of a file system of processes, wherever it is mounted. */
export function isOfProcesses(directory: string): boolean {
  return statfsSync(directory).type === PROCESS_FILES;
}

function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function joined(names: readonly string[]): string {
  return `/${names.join('/')}`;
}

/** undefined: nothing is there, or nothing that a program of ours could see either. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

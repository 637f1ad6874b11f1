// The folder into which a material is checked out: below that of the pipeline, and not by way of a link out of it.
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { CheckoutProblem } from './problem.ts';

export interface CheckoutTarget {
  readonly folder: string;
  /** Folders of other materials in it, as paths below it. */
  readonly kept: readonly string[];
}

interface Folders {
  readonly pipelineFolder: string;
  readonly otherDestinations?: readonly string[];
}

/** Makes sure that the folder is there afterwards. */
export async function prepareTarget(
  destination: string | null,
  { pipelineFolder, otherDestinations = [] }: Folders,
): Promise<CheckoutTarget> {
  const names = namesOf(destination);
  await mkdir(pipelineFolder, { recursive: true }).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EEXIST' && failure.code !== 'ENOTDIR') throw failure;
    throw new CheckoutProblem(`${pipelineFolder} is a file, or lies below one: remove the file.`);
  });
  const root = await realpath(pipelineFolder);
  let folder = root;
  for (const name of names) folder = await entered(join(folder, name), root, destination);
  return { folder, kept: keptIn(names, otherDestinations.map(namesOf)) };
}

function namesOf(destination: string | null): readonly string[] {
  const text = destination ?? '';
  const names = text.split(/[/\\]/).filter((name) => name !== '' && name !== '.');
  const leavesIt = isAbsolute(text) || /^[a-z]:/i.test(text) || names.includes('..') || text.includes('\0');
  if (leavesIt) throw new CheckoutProblem(`The destination ${text} leads out of the folder of the pipeline: name a folder below it.`);
  return names;
}

function keptIn(names: readonly string[], others: readonly (readonly string[])[]): string[] {
  const isInside = (other: readonly string[]) => other.length > names.length && names.every((name, index) => other[index] === name);
  return others.filter(isInside).map((other) => other.slice(names.length).join('/'));
}

/** The real path of a folder, which is made if it is not there. */
async function entered(path: string, root: string, destination: string | null): Promise<string> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found === undefined) {
    await mkdir(path);
    return path;
  }
  if (found.isDirectory()) return path;
  if (!found.isSymbolicLink())
    throw new CheckoutProblem(
      `The destination ${destination} is a file, of another material or left by an earlier build: choose another destination, or let the stage clean its working directory.`,
    );
  const target = await realpath(path).catch(ignoreMissing);
  if (target === undefined || !isBelow(target, root))
    throw new CheckoutProblem(`The destination ${destination} leads out of the folder of the pipeline by a link: remove the link.`);
  return entered(target, root, destination);
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export function ignoreMissing(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT') throw failure;
  return undefined;
}

// Finds folders below the folder of a pipeline, and never outside of it.
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';

/** The message is a sentence for the console. */
export class BadFolder extends Error {}

/** Whether a path leads nowhere but below: not absolute, and not up. */
export function staysBelow(path: string): boolean {
  const normal = normalize(path.replaceAll('\\', '/'));
  return !isAbsolute(normal) && !/^[a-zA-Z]:/.test(normal) && normal !== '..' && !normal.startsWith(`..${sep}`);
}

/** A working directory must be there, and be where its name says: a link may lead anywhere. */
export function workingDirectoryIn(pipelineFolder: string, directory: string | null): string {
  if (directory === null) return existingFolder(pipelineFolder, pipelineFolder);
  if (!staysBelow(directory)) throw new BadFolder(`Working directory "${directory}" is outside of the folder of the pipeline.`);
  const path = existingFolder(join(pipelineFolder, directory), directory);
  if (isWithin(realpathSync(pipelineFolder), realpathSync(path))) return path;
  throw new BadFolder(`Working directory "${directory}" is a link that leads outside of the folder of the pipeline.`);
}

function existingFolder(path: string, name: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new BadFolder(`Working directory "${name}" is not a directory! Correct the task, or make the directory in a task before it.`);
}

export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The folder need not exist yet, but the existing part of its path must not be a link that leads outside. */
export function destinationIn(pipelineFolder: string, destination: string): string {
  if (!staysBelow(destination)) throw new BadFolder(`Destination "${destination}" is outside of the folder of the pipeline.`);
  const path = join(pipelineFolder, destination);
  if (isWithin(realpathSync(pipelineFolder), realpathSync(nearestExisting(path)))) return path;
  throw new BadFolder(`Destination "${destination}" is a link that leads outside of the folder of the pipeline.`);
}

function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? nearestExisting(dirname(path)) : path;
}

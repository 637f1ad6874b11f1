// Keeps addresses out of the server's own directory: what lies there is for nobody who may only name a repository, and some of it was
// brought from repositories of strangers, who could have left settings there that programs obey.
import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { isLocal } from './address.ts';
import { MaterialProblem, type Surroundings } from './client.ts';

/**
 * The address is without credentials. Programs take relative ones from the directory of the material. `leadsTo`: where else the program
 * reads when it is given a path.
 */
export function mustBeOpen(
  url: string,
  { closedTo, directory }: Pick<Surroundings, 'closedTo' | 'directory'>,
  leadsTo: (path: string) => readonly string[] = () => [],
): void {
  if (closedTo === undefined || !isLocal(url)) return;
  const closed = real(closedTo);
  const isClosed = (path: string) => isWithin(real(path), closed);
  for (const path of pathsIn(url).map((one) => resolve(directory, one)))
    if (isClosed(path) || leadsTo(path).some(isClosed))
      throw new MaterialProblem('The address leads into the data directory of this server.');
}

/** Programs differ in what they make of the part of a `file:` address where a host could be. */
function pathsIn(url: string): readonly string[] {
  const [, rest] = /^file:(?:\/\/)?(.*)$/is.exec(url) ?? [];
  if (rest === undefined) return [url];
  const path = decoded(rest);
  return [`/${path}`, path.replace(/^[^/]*/, '/')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that escapes nothing
  }
}

/** Where links lead to, as far as something is there. Every look at a repository asks this many times: the system itself is quickest. */
function real(path: string): string {
  if (!existsSync(path)) return path;
  try {
    return realpathSync.native(path);
  } catch {
    return path; // gone meanwhile
  }
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && way !== path;
}

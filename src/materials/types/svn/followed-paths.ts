// Where on this machine svn reads from when it is given the path of a repository, or of something in one.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Follow } from '../../addresses/forbidden-paths.ts';

/** Without these it is no repository. */
const PARTS = ['format', 'db'];

/**
 * Svn looks for the repository from the path upwards, as it is written. Hooks and settings beside the database are often links, and are
 * not read by commands that only query the repository.
 */
export function foldersOfSvn(_path: string, follow: Follow, written: string): readonly string[] {
  return upwards(written)
    .filter((folder) => PARTS.every((part) => existsSync(join(folder, part))))
    .flatMap((folder) => {
      const repository = follow(folder, '/');
      for (const part of PARTS) follow(part, repository);
      return [follow('db', repository)];
    });
}

function upwards(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
}

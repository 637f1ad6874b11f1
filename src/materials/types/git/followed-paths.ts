// Where on this machine git reads from when it is given the path of a repository: a file or a link there can lead it anywhere else.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Follow, FollowRepository } from '../../addresses/forbidden-paths.ts';
import { smallText } from '../../addresses/small-file.ts';
import { MaterialProblem } from '../../clients/client.ts';

/** Git tries these, each added to the path. */
export const SUFFIXES = ['/.git', '', '.git/.git', '.git'];
/** Each of them may be a link. */
const PARTS = ['HEAD', 'packed-refs', 'shallow', 'config', 'info', 'refs', 'refs/heads'];
const PARTS_OF_OBJECTS = ['pack', 'info', 'info/alternates'];
const FOLDERS_OF_REFS = ['refs', 'reftable'];
const MAX_FOLDERS = 100;
const NOT_FOLLOWED = 'The repository borrows from others in a way that this server does not follow.';

/** A path and where it begins, unless it is a whole one. */
type WrittenPath = readonly [path: string, from: string];

/** The folders that git reads from. */
interface FollowedFolders {
  readonly repositories: readonly string[];
  readonly objects: readonly string[];
}

export function followGit(path: string, follow: Follow): void {
  followedFolders(path, follow);
}

/** Follows the paths that git reads to resolve one ref. */
export function followGitTo(ref: string): FollowRepository {
  return (path, follow) => {
    for (const folder of followedFolders(path, follow).repositories) follow(ref, folder);
  };
}

/** The folders of single refs and objects, each of which may be a link. */
export function foldersOfGit(path: string, follow: Follow): readonly string[] {
  const { repositories, objects } = followedFolders(path, follow);
  return [...repositories.flatMap((repository) => FOLDERS_OF_REFS.map((folder) => follow(folder, repository))), ...objects];
}

function followedFolders(path: string, follow: Follow): FollowedFolders {
  const found = new Set<string>();
  const repositories: string[] = [];
  const objects: string[] = [];
  /** undefined: it is known already, or nothing is there. */
  const enter = ([way, from]: WrittenPath, parts: readonly string[]) => {
    const folder = follow(way, from);
    if (found.has(folder)) return undefined;
    if (found.size >= MAX_FOLDERS) throw new MaterialProblem(NOT_FOLLOWED);
    found.add(folder);
    if (!existsSync(folder)) return undefined;
    for (const part of parts) follow(part, folder);
    return folder;
  };
  const visit = (way: WrittenPath) => {
    const folder = enter(way, PARTS);
    if (folder === undefined) return;
    repositories.push(folder);
    for (const other of otherRepositories(folder, way)) visit(other);
    visitObjects(['objects', folder]);
  };
  const visitObjects = (way: WrittenPath) => {
    const folder = enter(way, PARTS_OF_OBJECTS);
    if (folder === undefined) return;
    objects.push(folder);
    for (const link of linksIn(join(folder, 'pack'))) follow(link, join(folder, 'pack'));
    for (const other of otherObjects(folder, way)) visitObjects(other);
  };
  for (const suffix of SUFFIXES) visit([`${basename(path)}${suffix}`, dirname(path)]);
  return { repositories, objects };
}

/** Places that git takes for the repository instead of this one, or for a part of it. */
function otherRepositories(folder: string, way: WrittenPath): readonly WrittenPath[] {
  // Git takes no longer file for one that names a directory.
  const [, elsewhere] = /^gitdir: (.*)$/s.exec(smallText(folder) ?? '') ?? [];
  if (elsewhere !== undefined) return [dirname(written(way)), dirname(folder)].flatMap((from) => readings(withoutEnd(elsewhere), from));
  const common = textOf(join(folder, 'commondir'));
  return common === '' ? [] : readings(withoutEnd(common), folder);
}

/** Folders from which git takes objects as well. */
function otherObjects(folder: string, way: WrittenPath): readonly WrittenPath[] {
  const lines = textOf(join(folder, 'info', 'alternates')).split('\n');
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    // With escapes in it, which git would undo.
    if (line.startsWith('"')) throw new MaterialProblem(NOT_FOLLOWED);
    return [folder, written(way)].flatMap((from) => readings(line, from));
  });
}

function linksIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => name);
}

/** Versions of git differ in whether they take out `..` before they look. */
function readings(path: string, from: string): readonly WrittenPath[] {
  return [
    [path, from],
    [resolve(from, path), '/'],
  ];
}

/** The path as it was written, which leads elsewhere when it is a link. */
function written([way, from]: WrittenPath): string {
  return resolve(from, way);
}

function textOf(path: string): string {
  const text = smallText(path);
  if (text === undefined) throw new MaterialProblem(NOT_FOLLOWED);
  return text;
}

function withoutEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '');
}

// Whether the submodules of a checkout are as git left them. Builds may have changed their settings, and git would run commands from those, with
// the login in its environment.
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isWithin } from '../../task/contained-paths.ts';
import { smallText } from './small-files.ts';

/** The settings that git itself writes; any other one was added by a build. */
const SECTIONS: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|precomposeunicode) = \w+$/,
  extensions: /^objectformat = \w+$/,
  remote: /^(?:url|fetch) = /,
  branch: /^(?:remote|merge) = /,
  submodule: /^(?:url = |active = \w+$|update = (?:checkout|rebase|merge|none)$)/,
};
const HEADING = /^\[(\w+)(?: "[^"\\]*")?\]$/;
const WORK_TREE = /^worktree = ([^"\\]+)$/;
/** Neither repositories nor settings are in them. */
const PASSED_OVER: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'hooks']);
const LINK = /^gitdir: (.+)\n$/;

/** `folder`: of the checkout; `pathsIn`: the submodules that a repository names in its index. */
export async function areSubmodulesOurs(folder: string, pathsIn: (gitFolder: string) => Promise<readonly string[]>): Promise<boolean> {
  const modules = join(folder, '.git', 'modules');
  if (lstatSync(modules, { throwIfNoEntry: false }) === undefined) return (await linksBelow(folder, join(folder, '.git'))).length === 0;
  return (
    repositoriesIn(modules).every((one) => hasOwnSettings(one, folder)) && (await linksBelow(folder, join(folder, '.git'))).every(Boolean)
  );

  /** Of each submodule that is checked out, and of theirs: whether it is one of those repositories. */
  async function linksBelow(workTree: string, gitFolder: string): Promise<readonly boolean[]> {
    const found: boolean[] = [];
    for (const path of await pathsIn(gitFolder)) {
      const folder = join(workTree, path);
      const link = lstatSync(join(folder, '.git'), { throwIfNoEntry: false });
      if (link === undefined) continue;
      const target = link.isFile() ? LINK.exec(smallText(join(folder, '.git')) ?? '')?.[1] : undefined;
      const isOurs = target !== undefined && isRepositoryOf(modules, resolve(folder, target));
      found.push(isOurs);
      if (isOurs) found.push(...(await linksBelow(folder, resolve(folder, target))));
    }
    return found;
  }
}

function isRepositoryOf(modules: string, path: string): boolean {
  return lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false }) !== undefined && isWithin(realpathSync(modules), realpathSync(path));
}

/** A name may have slashes, and a repository others within. A link is taken for one, which it is not. */
function repositoriesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isOne = entries.some(({ name }) => name === 'HEAD' || name === 'config');
  const below = entries.filter((entry) => !(isOne && PASSED_OVER.has(entry.name)));
  return [
    ...(isOne ? [folder] : []),
    ...below.flatMap((entry) => (entry.isDirectory() ? repositoriesIn(join(folder, entry.name)) : [])),
    ...below.flatMap((entry) => (entry.isSymbolicLink() ? [join(folder, entry.name)] : [])),
  ];
}

function hasOwnSettings(gitFolder: string, checkout: string): boolean {
  const isFile = (name: string) => lstatSync(join(gitFolder, name), { throwIfNoEntry: false })?.isFile();
  if (lstatSync(gitFolder).isSymbolicLink() || isFile('config') !== true) return false;
  if (['commondir', 'config.worktree'].some((name) => isFile(name) !== undefined)) return false;
  let section = '';
  return (smallText(join(gitFolder, 'config')) ?? '').split('\n').every((written) => {
    const line = written.trim();
    const heading = HEADING.exec(line)?.[1];
    section = heading ?? section;
    if (line === '' || heading !== undefined) return line === '' || heading! in SECTIONS;
    const workTree = section === 'core' ? WORK_TREE.exec(line)?.[1] : undefined;
    return workTree === undefined ? SECTIONS[section]?.test(line) === true : isWithin(checkout, resolve(gitFolder, workTree));
  });
}

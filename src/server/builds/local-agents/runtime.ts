// The programs that local agents run: those of the server, or copies of them where the user of the agents does not get to those.
import { constants } from 'node:fs';
import { chmod, copyFile, cp, link, lstat, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { INSTALLATION, ownProgramFile } from '../../../kit/process/own-program.ts';
import type { Account } from './account.ts';
import { EXECUTE, mayUse, READ } from './file-access.ts';
import { agentsFolder } from './folders.ts';

export interface Runtime {
  readonly node: string;
  readonly program: string;
}

const OPEN_TO_READ = 0o755;
const FOR_OTHERS = READ | EXECUTE;
/** The folders of the program, when it is not in one file. */
const SOURCES = ['agent', 'contracts', 'kit'];
const DEPENDENCIES = ['aws4fetch'].map((name) => join('node_modules', name));

export async function runtimeFor(dataDir: string, account: Account | undefined): Promise<Runtime> {
  const own = { node: process.execPath, program: ownProgramFile('agent/program.ts') };
  if (!account) return own;
  const folder = join(agentsFolder(dataDir), 'runtime');
  const isInReach = [own.program, join(INSTALLATION, 'package.json')].every((file) => mayUse(file, account, READ));
  const hasNode = mayUse(own.node, account, FOR_OTHERS);
  if (!isInReach || !hasNode) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, OPEN_TO_READ);
  }
  return {
    node: hasNode ? own.node : await copyOfNode(own.node, folder),
    program: isInReach ? own.program : await copyOfProgram(own.program, join(folder, 'program')),
  };
}

/** More than a hundred megabytes: only a link where that is possible, and not twice. */
export async function copyOfNode(node: string, folder: string): Promise<string> {
  const target = join(folder, basename(node));
  const [wanted, there] = [await stat(node), await lstat(target).catch(() => undefined)];
  if (there && there.size === wanted.size && Math.abs(there.mtimeMs - wanted.mtimeMs) < 1 && (there.mode & FOR_OTHERS) === FOR_OTHERS)
    return target;
  const unfinished = `${target}.new`;
  await rm(unfinished, { force: true });
  // A link has the modes of the file.
  const isLinked =
    (wanted.mode & FOR_OTHERS) === FOR_OTHERS &&
    (await link(node, unfinished).then(
      () => true,
      () => false, // on another disk, for example
    ));
  if (!isLinked) {
    await copyFile(node, unfinished, constants.COPYFILE_FICLONE);
    await chmod(unfinished, OPEN_TO_READ);
    await utimes(unfinished, wanted.atime, wanted.mtime);
  }
  await rename(unfinished, target);
  return target;
}

/** In the shape of an installation: the program looks for `package.json` beside its folder. */
async function copyOfProgram(program: string, target: string): Promise<string> {
  const unfinished = `${target}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await cp(join(INSTALLATION, 'package.json'), join(unfinished, 'package.json'));
  const [folder, isOneFile] = [dirname(program), program.endsWith('.js')];
  const programFolder = join(unfinished, isOneFile ? 'build' : 'src');
  if (isOneFile)
    for (const name of [basename(program), 'md5-thread.js', 'hg-login.py']) await cp(join(folder, name), join(programFolder, name));
  else {
    for (const name of SOURCES) await cp(join(folder, '..', name), join(programFolder, name), { recursive: true });
    for (const path of DEPENDENCIES) await cp(join(INSTALLATION, path), join(unfinished, path), { recursive: true });
  }
  await openToRead(unfinished);
  await rm(target, { recursive: true, force: true });
  await rename(unfinished, target);
  return join(target, relative(unfinished, programFolder), isOneFile ? basename(program) : join('agent', basename(program)));
}

async function openToRead(path: string): Promise<void> {
  await chmod(path, OPEN_TO_READ);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? OPEN_TO_READ : OPEN_TO_READ & 0o644);
}

// The submodules of a checkout, level by level. Committers of the repository name them, so addresses are judged before git connects.
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { hasControlCharacter } from '../../../kit/text/control-characters.ts';
import { isLocal, maskedAddress } from '../../addresses/address.ts';
import { connectsOverHttp, judgeAddress } from '../../addresses/check-host.ts';
import { allowedPath, checkLinks, type PathRules } from '../../addresses/forbidden-paths.ts';
import { MaterialProblem, type PollContext } from '../../clients/client.ts';
import type { Program, RunOptions } from '../../clients/program.ts';
import { foldersOfGit, followGit } from './followed-paths.ts';
import { pinsFor, settingsEnvironment } from './route.ts';

/** Untrusted repositories name their submodules; files of this machine are only for those that come from it themselves. */
export const REMOTE_PROTOCOLS = 'http:https:ssh:git';
const IS_WHOLE = /^(?:file:\/\/)?\//;
const SUBMODULE = /^160000 [^\t]*\t(.*)$/s;

/** `url` is the address of the repository, with which relative addresses of its submodules begin. */
export async function fetchSubmodules(
  git: Program,
  url: string,
  options: RunOptions & { readonly cwd: string },
  context: PollContext,
): Promise<void> {
  const { cwd } = options;
  if (!existsSync(join(cwd, '.gitmodules'))) return;
  await git.run(['config', 'remote.origin.url', url], options);
  for (const word of ['sync', 'init']) await git.run(['submodule', '--quiet', word], options);
  const addresses = await addressesIn(git, options);
  for (const one of addresses) {
    if (isLocal(url)) await mustBeAllowed(one, { ...context, directory: cwd, isLimitedToFolders: true });
    // Git may not use files of this machine then, but it takes some of these for hosts.
    else if (isLocal(one) && !IS_WHOLE.test(one)) throw notAllowed(one);
  }
  const env = { ...(!isLocal(url) && { GIT_ALLOW_PROTOCOL: REMOTE_PROTOCOLS }), ...(await pinHosts(addresses, context)) };
  await git.run(['submodule', '--quiet', 'update', '--force'], { ...options, env });
  for (const path of await pathsIn(git, options)) {
    const within = { ...options, cwd: join(cwd, path) };
    if (!existsSync(join(within.cwd, '.git'))) continue; // it is not to be brought
    const [inner = ''] = (await git.run(['config', '--get', 'remote.origin.url'], within)).stdout.split('\n');
    await fetchSubmodules(git, inner, within, context);
  }
}

/** The addresses that git has resolved from those written in the repository. */
async function addressesIn(git: Program, options: RunOptions): Promise<readonly string[]> {
  const { stdout } = await git.run(['config', '--local', '--null', '--list'], options);
  // A name ends at the first line break; an address with another one is refused where it is judged.
  return stdout.split('\0').flatMap((record) => /^submodule\.[^\n]*\.url\n(.*)$/s.exec(record)?.[1] ?? []);
}

function notAllowed(url: string): MaterialProblem {
  return new MaterialProblem(`A submodule is at ${maskedAddress(url)}, which submodules must not be.`);
}

async function mustBeAllowed(url: string, context: PathRules): Promise<void> {
  if (hasControlCharacter(url)) throw notAllowed(url);
  // Git takes an address of any form for a path when an entry of this name, a link perhaps, is in its working directory.
  const isPath = lstatSync(join(context.directory, url.split('/', 1)[0]!), { throwIfNoEntry: false }) !== undefined;
  if (isLocal(url) ? !IS_WHOLE.test(url) : isPath) throw notAllowed(url);
  allowedPath(url, context, followGit);
  await checkLinks(url, context, foldersOfGit);
}

/** The environment that holds git to the hosts to which the addresses lead now. Redirects are not followed here. */
async function pinHosts(addresses: readonly string[], context: PollContext): Promise<Record<string, string>> {
  const pins = addresses.map(async (url) => pinsFor(url, await judgeAddress(url, context, connectsOverHttp(url))));
  return settingsEnvironment((await Promise.all(pins)).flat());
}

async function pathsIn(git: Program, options: RunOptions): Promise<readonly string[]> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z'], options);
  return stdout.split('\0').flatMap((record) => SUBMODULE.exec(record)?.[1] ?? []);
}

// Checks out a Subversion repository: an existing checkout is brought to the revision; an unusable one is made anew.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { isBroken, parseAddress } from '../../kit/network/repository-address.ts';
import { isSvnAddress } from '../../kit/network/repository-transports.ts';
import { CommandFailure } from '../../kit/process/command-failure.ts';
import { programEnvironment, SSH_COMMAND } from '../../kit/process/program-environment.ts';
import type { CheckoutTarget } from './destination.ts';
import { wouldFailAgain } from './explain.ts';
import { emptyFolder, removeBelow } from './leftovers.ts';
import { CheckoutProblem } from './problem.ts';
import { type RunOptions, Tool, type ToolContext } from './tool.ts';

type SvnMaterial = Extract<WorkMaterial, { type: 'svn' }>;

/** The status columns come first, then the path. */
const UNVERSIONED = /^\?.{7}(.+)$/gm;
/** Another repository, or one that has nothing in common with the present checkout. */
const NOT_SWITCHABLE = /E195012|E155025|E170000|E160005/;

class Svn {
  readonly url: string;
  readonly hasLogin: boolean;
  readonly #tool: Tool;
  readonly #options: readonly string[];
  readonly #input: string | undefined;
  readonly #cwd: string;

  constructor({ url: text, username, password }: SvnMaterial, cwd: string, context: ToolContext) {
    const address = parseAddress(text, { username, password });
    const { url, login, secrets } = address;
    if (isBroken(address)) throw new CheckoutProblem('A user name and a password cannot hold a line break: correct those of the material.');
    if (!isSvnAddress(url))
      throw new CheckoutProblem('Subversion repositories are read over http, https, svn, svn+ssh or file: correct the address.');
    this.url = url;
    this.hasLogin = login !== null;
    this.#cwd = cwd;
    this.#input = login ? `${login.password ?? ''}\n` : undefined;
    const options = login ? [`--username=${login.username}`, '--password-from-stdin'] : [];
    this.#options = ['--non-interactive', '--no-auth-cache', ...options];
    this.#tool = new Tool('svn', { secrets, env: { SVN_SSH: SSH_COMMAND, ...programEnvironment(['SVN_SSH']) } }, context);
  }

  /** For commands that only work on this machine. */
  run([command, ...args]: readonly string[], options: RunOptions = {}): Promise<string> {
    return this.#tool.run([command!, '--non-interactive', ...args], { cwd: this.#cwd, ...options });
  }

  /** For commands that contact the repository. */
  ask([command, ...args]: readonly string[]): Promise<string> {
    return this.#tool.run([command!, ...this.#options, ...args], {
      cwd: this.#cwd,
      ...(this.#input !== undefined && { input: this.#input }),
    });
  }
}

export async function checkOutSvn(material: SvnMaterial, target: CheckoutTarget, context: ToolContext): Promise<void> {
  const { revision, check_externals: hasExternals } = material;
  if (!/^\d+$/.test(revision))
    throw new CheckoutProblem(`${revision} is no revision of a Subversion repository: trigger the pipeline again.`);
  const svn = new Svn(material, target.folder, context);
  // With them only at the end: they name any server, and svn would log in there with the same password.
  if (!(await tryUpdate(svn, revision, target, context))) {
    await emptyFolder(target.folder, target.kept);
    await svn.ask(['checkout', '--force', '--ignore-externals', `--revision=${revision}`, '--', `${svn.url}@${revision}`, '.']);
  }
  if (hasExternals) await updateExternals(svn, revision);
}

/** Brings an existing checkout to the revision; false: it cannot be used. */
async function tryUpdate(svn: Svn, revision: string, target: CheckoutTarget, context: ToolContext): Promise<boolean> {
  if (!existsSync(join(target.folder, '.svn'))) return false;
  try {
    await svn.run(['cleanup']);
    await svn.run(['revert', '--quiet', '--recursive', '.']);
    await removeUnversioned(svn, target);
    const [url] = (await svn.run(['info', '--show-item=url', '.'], { isQuiet: true })).split('\n');
    const isSame = url?.trim().replace(/\/+$/, '') === svn.url.replace(/\/+$/, '');
    const how = isSame
      ? ['update', `--revision=${revision}`]
      : ['switch', '--ignore-ancestry', `--revision=${revision}`, '--', `${svn.url}@${revision}`, '.'];
    await svn.ask([how[0]!, '--force', '--accept=theirs-full', '--ignore-externals', ...how.slice(1)]);
    // A file that lay in the way of an incoming one counts as a change of it.
    await svn.run(['revert', '--quiet', '--recursive', '.']);
    return true;
  } catch (failure) {
    const isOther = failure instanceof CommandFailure && NOT_SWITCHABLE.test(failure.stderr);
    if (!isOther && wouldFailAgain(failure)) throw failure;
    context.err('The checkout cannot be used. It is made anew.');
    return false;
  }
}

async function removeUnversioned(svn: Svn, { folder, kept }: CheckoutTarget): Promise<void> {
  const status = await svn.run(['status', '--ignore-externals', '.'], { isQuiet: true });
  for (const [, path] of status.matchAll(UNVERSIONED)) await removeBelow(folder, path!.replaceAll('\\', '/'), kept);
}

async function updateExternals(svn: Svn, revision: string): Promise<void> {
  const definitions = await svn.run(['propget', '--recursive', 'svn:externals', '.'], { isQuiet: true });
  if (definitions.trim() === '') return;
  const host = hostOf(svn.url);
  const other = [...definitions.matchAll(/(?:^|\s|")((?:[a-z+]+:)?\/\/[^\s"/]+)/gim)]
    .map(([, start]) => start!)
    .find((start) => hostOf(start) !== host);
  if (svn.hasLogin && other !== undefined)
    throw new CheckoutProblem(
      `An external is at ${withoutLogin(other)}, where the login of this material must not go: leave out the externals, or the login.`,
    );
  await svn.ask(['update', '--force', '--accept=theirs-full', `--revision=${revision}`]);
}

function hostOf(url: string): string {
  return (/^(?:[a-z+]+:)?\/\/(?:[^/@]*@)?([^/]*)/i.exec(url)?.[1] ?? '').toLowerCase();
}

function withoutLogin(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}

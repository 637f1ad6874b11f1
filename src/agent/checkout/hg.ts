// Checks out a Mercurial repository from a clone of our own in the cache.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { isBroken, type Login, parseAddress } from '../../kit/network/repository-address.ts';
import { isHgAddress } from '../../kit/network/repository-transports.ts';
import { CommandFailure } from '../../kit/process/command-failure.ts';
import { ownProgramFile } from '../../kit/process/own-program.ts';
import { programEnvironment, SSH_COMMAND } from '../../kit/process/program-environment.ts';
import { cacheFor } from './cache.ts';
import type { CheckoutTarget } from './destination.ts';
import { wouldFailAgain } from './explain.ts';
import { emptyFolder } from './leftovers.ts';
import { CheckoutProblem, revisionGone } from './problem.ts';
import { type RunOptions, Tool, type ToolContext } from './tool.ts';

type HgMaterial = Extract<WorkMaterial, { type: 'hg' }>;

/** An extension of hg that reads the login from the environment. */
const LOGIN = ownProgramFile('kit/process/hg-login.py');
const UNKNOWN_REVISION = /^abort: (?:unknown revision|filtered revision|00changelog.*no node)/im;

class Hg {
  readonly url: string;
  readonly #tool: Tool;
  readonly #login: Login | null;

  constructor({ url: text, username, password }: HgMaterial, context: ToolContext) {
    // The part after a number sign names a branch; the revision is enough.
    const address = parseAddress(text.replace(/#.*$/s, ''), { username, password });
    const { url, login, secrets } = address;
    if (isBroken(address) || /[^ -~]/.test(`${login?.username}${login?.password}`))
      throw new CheckoutProblem('Mercurial only takes user names and passwords in ASCII: correct those of the material.');
    if (!isHgAddress(url))
      throw new CheckoutProblem('Mercurial repositories are read over http, https, ssh or as files: correct the address.');
    this.url = url;
    this.#login = login;
    const args = ['--noninteractive', '--config', `ui.ssh=${SSH_COMMAND}`];
    // Settings of a repository that a build may have changed do not count.
    const env = { ...programEnvironment(), HGPLAIN: '1', HGENCODING: 'UTF-8', HGRCPATH: '', HGRCSKIPREPO: '1' };
    this.#tool = new Tool('hg', { secrets, args, env }, context);
  }

  /** For commands that only work on this machine. */
  run(args: readonly string[], options?: RunOptions): Promise<string> {
    return this.#tool.run(args, options);
  }

  /** For commands that contact the repository. */
  ask(args: readonly string[], options?: RunOptions): Promise<string> {
    const extension = this.#login ? ['--config', `extensions.slipway-login=${LOGIN}`] : [];
    const env = { PYTHONDONTWRITEBYTECODE: '1', ...(this.#login && loginEnvironment(this.url, this.#login)) };
    return this.#tool.run([...extension, ...args], { ...options, env });
  }
}

/** Only for the server it was meant for. */
function loginEnvironment(url: string, { username, password }: Login): Record<string, string> {
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]+/i.exec(url) ?? [];
  return { SLIPWAY_HG_PREFIX: origin, SLIPWAY_HG_USERNAME: username, SLIPWAY_HG_PASSWORD: password ?? '' };
}

export async function checkOutHg(
  material: HgMaterial,
  target: CheckoutTarget,
  context: ToolContext & { readonly cacheFolder: string },
): Promise<void> {
  const { revision, fingerprint } = material;
  if (!/^[0-9a-f]{40}$/.test(revision))
    throw new CheckoutProblem(`${revision} is no revision of a Mercurial repository: trigger the pipeline again.`);
  const hg = new Hg(material, context);
  const cache = cacheFor(context.cacheFolder, 'hg', fingerprint);
  await healing(
    context,
    () => emptyFolder(target.folder, target.kept),
    async () => {
      if (!(await hasRevision(hg, revision, target, fingerprint))) {
        await healing(
          context,
          () => rm(cache, { recursive: true, force: true }),
          () => fillCache(hg, cache, material),
        );
        await pullFromCache(hg, cache, material, target);
      }
      // Repositories within it are found relative to its address, and may want the login.
      const update = ['--config', `paths.default=${hg.url}`, 'update', '--clean', `--rev=${revision}`];
      await hg.ask(update, { cwd: target.folder });
      const kept = target.kept.map((path) => `--exclude=path:${path}`);
      await hg.run(['--config', 'extensions.purge=', 'purge', ...kept], { cwd: target.folder });
    },
  );
}

/** Does it once more after `remove` when the existing copy is damaged. */
async function healing(context: ToolContext, remove: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (failure) {
    if (!(failure instanceof CommandFailure) || wouldFailAgain(failure)) throw failure;
    context.err('The copy of the repository cannot be used. It is made anew.');
    await remove();
    await work();
  }
}

function noteOf({ folder }: CheckoutTarget): string {
  return join(folder, '.hg', 'slipway-material');
}

/** Whether the checkout has the revision already. */
async function hasRevision(hg: Hg, revision: string, target: CheckoutTarget, fingerprint: string): Promise<boolean> {
  if (!existsSync(join(target.folder, '.hg'))) return false;
  const wanted = `present(${revision})`;
  return (
    existsSync(`${noteOf(target)}-${fingerprint}`) &&
    (await hg.run(['log', `--rev=${wanted}`, '--template=x'], { cwd: target.folder, isQuiet: true })) !== ''
  );
}

async function fillCache(hg: Hg, cache: string, { revision, description }: HgMaterial): Promise<void> {
  if (!existsSync(join(cache, '.hg'))) {
    await mkdir(cache, { recursive: true });
    await hg.run(['init', '--', cache]);
  }
  const has = await hg.run(['--repository', cache, 'log', `--rev=present(${revision})`, '--template=x'], { isQuiet: true });
  if (has !== '') return;
  try {
    await hg.ask(['--repository', cache, 'pull', `--rev=${revision}`, '--', hg.url]);
  } catch (failure) {
    if (failure instanceof CommandFailure && UNKNOWN_REVISION.test(failure.stderr)) throw revisionGone(revision, description);
    throw failure;
  }
}

async function pullFromCache(hg: Hg, cache: string, { fingerprint, revision }: HgMaterial, target: CheckoutTarget): Promise<void> {
  const { folder, kept } = target;
  const note = `${noteOf(target)}-${fingerprint}`;
  if (!existsSync(note)) {
    await emptyFolder(folder, kept);
    await hg.run(['init', '.'], { cwd: folder });
    await writeFile(join(folder, '.hg', 'hgrc'), `[paths]\ndefault = ${hg.url}\n`);
    await writeFile(note, '');
  }
  await hg.run(['pull', '--quiet', `--rev=${revision}`, '--', cache], { cwd: folder });
}

// Gets files of Team Foundation version control by the program tf. Its commands are given on standard input, for one of their words is the password.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { parseAddress } from '../../kit/network/repository-address.ts';
import { CommandFailure, CommandStopped } from '../../kit/process/command-failure.ts';
import { programEnvironment } from '../../kit/process/program-environment.ts';
import { cacheFor } from './cache.ts';
import type { CheckoutTarget } from './destination.ts';
import { wouldFailAgain } from './explain.ts';
import { emptyFolder } from './leftovers.ts';
import { CheckoutProblem } from './problem.ts';
import { Tool, type ToolContext } from './tool.ts';

type TfsMaterial = Extract<WorkMaterial, { type: 'tfs' }>;
type Command = readonly string[];

/** Variables of Java, on which the client of TFS runs. */
const INHERITED_VARIABLES = ['JAVA_HOME', 'TF_ADDITIONAL_JAVA_ARGS'];
const NO_SUCH_WORKSPACE = /could not be found|does not exist|TF14061/i;

export async function checkOutTfs(
  material: TfsMaterial,
  target: CheckoutTarget,
  context: ToolContext & { readonly cacheFolder: string },
): Promise<void> {
  const { revision, project_path: path, fingerprint } = material;
  if (!/^\d+$/.test(revision)) throw new CheckoutProblem(`${revision} is no changeset: trigger the pipeline again.`);
  // Anything else could be an option.
  if (!path.startsWith('$/')) throw new CheckoutProblem('A project path begins with `$/`: correct that of the material.');
  const workspace = `slipway-${hostname()}-${sha256(target.folder).slice(0, 16)}`;
  const note = `${cacheFor(context.cacheFolder, 'tfs', fingerprint)}-${workspace}`;
  const run = tfFor(material, target.folder, context);
  const isKnown = existsSync(note);
  await mkdir(dirname(note), { recursive: true });
  // Written only when all files are there: after any interruption the next checkout begins anew.
  await rm(note, { force: true });
  // All files: it does not look whether builds have changed or removed some.
  const get = ['get', '-force', '-recursive', `-version:C${revision}`, target.folder];
  if (!isKnown || !(await tryUpdate(run, get))) await checkOutAnew(run, workspace, path, target, get);
  await writeFile(note, '');
}

type Run = (commands: readonly Command[]) => Promise<void>;

/** False: the workspace is not there any more. */
async function tryUpdate(run: Run, get: Command): Promise<boolean> {
  try {
    await run([get]);
    return true;
  } catch (failure) {
    if (wouldFailAgain(failure)) throw failure;
    return false;
  }
}

async function checkOutAnew(run: Run, workspace: string, path: string, { folder, kept }: CheckoutTarget, get: Command): Promise<void> {
  try {
    await run([['workspace', '-delete', workspace]]);
  } catch (failure) {
    // Mostly there is none.
    if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped || !NO_SUCH_WORKSPACE.test(failure.stderr)) throw failure;
  }
  await emptyFolder(folder, kept);
  await run([['workspace', '-new', workspace], ['workfold', '-map', `-workspace:${workspace}`, path, folder], get]);
}

function tfFor({ url: text, username, password, domain }: TfsMaterial, cwd: string, context: ToolContext): Run {
  const { url, login, secrets } = parseAddress(text, { username, password });
  const name = login?.username ?? username ?? '';
  const user = domain ? `${domain}\\${name}` : name;
  const common = [`-collection:${url}`, ...(name === '' ? [] : [`-login:${user},${login?.password ?? ''}`]), '-noprompt'];
  const env = { ...programEnvironment(INHERITED_VARIABLES), TF_BYPASS_BROWSER_LOGIN: 'TRUE' };
  const tool = new Tool('tf', { secrets, env }, context);
  return async (commands) => {
    const lines = commands.map(([command, ...args]) => `${[command!, ...common, ...args].map(quoted).join(' ')}\n`);
    await tool.run(['@'], { cwd, input: lines.join('') });
  };
}

/** In command files a quote within quotes is written twice, and nothing else has a meaning. */
function quoted(word: string): string {
  if (/[\r\n]/.test(word)) throw new CheckoutProblem('The settings of the repository must not contain line breaks: correct the material.');
  return `"${word.replaceAll('"', '""')}"`;
}

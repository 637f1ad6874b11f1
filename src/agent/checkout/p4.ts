// Syncs files of a Perforce depot: a workspace for each folder of this agent, and the password only in the environment or input of p4.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { WorkMaterial, WorkVariable } from '../../contracts/agent-protocol/work.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { parseAddress } from '../../kit/network/repository-address.ts';
import { isP4Port } from '../../kit/network/repository-transports.ts';
import { clientSpec } from '../../kit/p4/client-spec.ts';
import { LOGGED_OUT, UNTRUSTED } from '../../kit/p4/messages.ts';
import { CommandFailure, CommandStopped } from '../../kit/process/command-failure.ts';
import { programEnvironment } from '../../kit/process/program-environment.ts';
import { cacheFor } from './cache.ts';
import type { CheckoutTarget } from './destination.ts';
import { emptyFolder } from './leftovers.ts';
import { CheckoutProblem } from './problem.ts';
import { type RunOptions, Tool, type ToolContext } from './tool.ts';

type P4Material = Extract<WorkMaterial, { type: 'p4' }>;

const UNKNOWN_CLIENT = /^Client '.*' unknown/m;
const UP_TO_DATE = /file\(s\) up-to-date|no such file\(s\)|No file\(s\) to reconcile/i;
const INHERITED_VARIABLES = ['P4CHARSET', 'P4TRUST'];
const NOTE = 'client-spec';

/** How Perforce knows the folder of a material; builds get it as `GO_P4_CLIENT`. */
export function p4ClientName(pipelineFolder: string, destination: string | null): string {
  return `slipway-${hostname()}-${sha256(resolve(pipelineFolder, destination ?? '')).slice(0, 16)}`;
}

/** Variables that come after all others. */
export function p4Variables(materials: readonly WorkMaterial[], pipelineFolder: string): WorkVariable[] {
  return materials.flatMap((material) =>
    material.type === 'p4'
      ? [{ name: material.client_variable, value: p4ClientName(pipelineFolder, material.destination), is_secret: false }]
      : [],
  );
}

export async function checkOutP4(
  material: P4Material,
  target: CheckoutTarget,
  context: ToolContext & { readonly cacheFolder: string; readonly pipelineFolder: string },
): Promise<void> {
  const { revision, view, fingerprint } = material;
  if (!/^\d+$/.test(revision)) throw new CheckoutProblem(`${revision} is no change of a Perforce depot: trigger the pipeline again.`);
  const client = p4ClientName(context.pipelineFolder, material.destination);
  const directory = join(cacheFor(context.cacheFolder, 'p4', fingerprint), client);
  await mkdir(directory, { recursive: true });
  const p4 = new P4(material, client, directory, context);
  const spec = clientSpec(client, target.folder, view);
  const note = join(directory, NOTE);
  const isKnown = existsSync(note) && (await readFile(note, 'utf8')) === spec;
  // Written only when all files are there: after an interrupted sync the next one is a whole one.
  await rm(note, { force: true });
  if (!isKnown) {
    await emptyFolder(target.folder, target.kept);
    await p4.run(['client', '-i'], { input: spec });
  }
  const everything = `//${client}/...@${revision}`;
  const isClean = isKnown && target.kept.length === 0 && (await isSynced(p4, client, everything, spec));
  if (!isClean) await p4.run(['sync', '-f', everything]);
  await writeFile(note, spec);
}

/** Syncs the changed files, and mends those that builds changed, removed or added. False: the server is too old for it. */
async function isSynced(p4: P4, client: string, everything: string, spec: string): Promise<boolean> {
  try {
    await p4.run(['sync', everything]);
    await p4.run(['clean', `//${client}/...`]);
    return true;
  } catch (failure) {
    if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
    if (UNKNOWN_CLIENT.test(failure.stderr)) await p4.run(['client', '-i'], { input: spec });
    else if (!/Unknown command/i.test(failure.stderr)) throw failure;
    return false;
  }
}

class P4 {
  readonly #tool: Tool;
  readonly #password: string | null;
  #mayLogIn: boolean;

  constructor({ port, username, password, use_tickets }: P4Material, client: string, directory: string, context: ToolContext) {
    // The program would also take a command to be run: `rsh:`.
    if (!isP4Port(port))
      throw new CheckoutProblem('Perforce servers are reached over tcp or ssl: write the port as `[tcp:|ssl:]host:port`.');
    const { secrets } = parseAddress('', { username: username || 'nobody', password });
    this.#password = password;
    this.#mayLogIn = use_tickets && Boolean(password);
    const env = {
      ...programEnvironment(INHERITED_VARIABLES),
      P4PORT: port,
      P4CLIENT: client,
      P4CONFIG: 'noconfig',
      P4ENVIRO: join(directory, 'p4enviro'),
      P4TICKETS: join(directory, 'p4tickets'),
      ...(username && { P4USER: username }),
      ...(password && !use_tickets && { P4PASSWD: password }),
    };
    this.#tool = new Tool('p4', { secrets, env }, context);
  }

  /** Logs in once when it has to. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<void> {
    try {
      await this.#tool.run(args, options);
    } catch (failure) {
      if (!(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      // Some versions end badly although there was only nothing to do.
      if (UP_TO_DATE.test(failure.stderr)) return;
      if (UNTRUSTED.test(failure.stderr))
        throw new CheckoutProblem('The Perforce server is not trusted by this agent: run `p4 trust` as the user of the agent.');
      if (!this.#mayLogIn || !LOGGED_OUT.test(failure.stderr)) throw failure;
      this.#mayLogIn = false;
      await this.#tool.run(['login'], { input: `${this.#password}\n` });
      await this.#tool.run(args, options);
    }
  }
}

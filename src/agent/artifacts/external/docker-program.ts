// The program docker, logged in to a registry: by its standard input, and with a folder for the login that is gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, ProgramMissing } from '../../../kit/process/command-failure.ts';
import { type RunOptions, Tool } from '../../checkout/tool.ts';
import { describeStartFailure } from '../../task/describe-failure.ts';
import { ecrLogin, type RegistryLogin } from './ecr.ts';
import { type ExternalContext, ExternalFailure } from './parts.ts';
import type { Settings } from './settings.ts';

export interface Docker {
  /** Its output goes to the console. */
  run(args: readonly string[]): Promise<void>;
  output(args: readonly string[]): Promise<string>;
}

export async function withDocker<T>(store: Settings, context: ExternalContext, work: (docker: Docker) => Promise<T>): Promise<T> {
  const login = await loginOf(store, context);
  const folder = await mkdtemp(join(context.privateFolder, 'docker-'));
  try {
    const basic = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    const env = { ...context.environment, DOCKER_CONFIG: folder };
    const tool = new Tool('docker', { env, secrets: [login.password, basic] }, context);
    const run = (args: readonly string[], options: RunOptions) => withReadableFailures(args[0]!, () => tool.run(args, options));
    const { username, registry, password } = login;
    const cwd = context.pipelineFolder;
    await run(['login', '--username', username, '--password-stdin', registry], { cwd, input: password, isQuiet: true });
    return await work({
      run: async (args) => void (await run(args, { cwd })),
      output: (args) => run(args, { cwd, isQuiet: true }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function loginOf(store: Settings, context: ExternalContext): Promise<RegistryLogin> | RegistryLogin {
  if (store.text('RegistryType').toLowerCase() === 'ecr') return ecrLogin(store, context);
  const [registry, username] = [wordOf(store, 'RegistryURL'), wordOf(store, 'Username')];
  return { registry, username, password: store.exact('Password') };
}

/** For a command line, which all users of the machine can see: no secret, and no option. */
function wordOf(store: Settings, key: string): string {
  const word = store.shown(key);
  if (word === '' || word.startsWith('-')) throw new ExternalFailure(`The setting "${key}" of the artifact store cannot be "${word}".`);
  return word;
}

async function withReadableFailures<T>(command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof ProgramMissing)
      throw new ExternalFailure(describeStartFailure('docker', Object.assign(new Error(), { code: 'ENOENT' })));
    if (!(failure instanceof CommandFailure)) throw failure;
    const { exitCode, stderr } = failure;
    const output = command === 'login' && stderr !== '' ? ` ${stderr}` : '';
    throw new ExternalFailure(`docker ${command} failed${exitCode === null ? '' : ` with exit code ${exitCode}`}.${output}`);
  }
}

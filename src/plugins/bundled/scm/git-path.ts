// Watches some paths of a git repository: commits that touch none of them are none of its business.
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { GitSource, ScmPlugin, ScmRevision, ScmTools } from '../../../contracts/plugins/scm.ts';
import { isBlank, readText } from '../../setting-values.ts';

const DEFAULT_BRANCH = 'master';
const PASSWORD_IN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:[^/?#]*@/i;

export const gitPathPlugin = {
  id: 'git-path',
  kind: 'scm',
  name: 'Git paths',
  version: '1.0.0',
  description: 'Notices commits that touch some paths of a git repository, and leaves out all others.',
  vendor: 'Slipway',
  blocks: {
    scm: {
      fields: [
        { key: 'url', required: true, isAddress: true, description: 'The address of the repository, without a password.' },
        { key: 'username', isPartOfIdentity: false, title: 'User name' },
        { key: 'password', secure: true, isPartOfIdentity: false },
        { key: 'path', required: true, title: 'Paths', description: 'The paths to watch, separated by commas.' },
        { key: 'branch', defaultValue: DEFAULT_BRANCH },
        {
          key: 'shallow_clone',
          isPartOfIdentity: false,
          kind: 'boolean',
          defaultValue: 'false',
          description: 'Fetch only as much history as needed.',
        },
      ],
      check: checkSettings,
    },
  },

  async latestRevision(settings, tools) {
    const source = sourceOf(settings);
    const tip = await tools.git.tip(source);
    const [newest] = (await Array.fromAsync(tools.git.commits(source))).flat();
    if (!newest) throw new Error(`No commit of the branch ${source.branch} touches ${source.paths.join(', ')}.`);
    remember(tip, tools);
    return newest;
  },

  async *latestRevisionsSince(settings, known, tools): AsyncGenerator<readonly ScmRevision[], void> {
    const source = sourceOf(settings);
    const tip = await tools.git.tip(source);
    // Most commits touch other paths: the revision does not show where the branch was then.
    if (tip === rememberedTip(tools)) return;
    yield* tools.git.commits(source, known.revision);
    remember(tip, tools);
  },

  async checkConnection(settings, tools) {
    const source = sourceOf(settings);
    try {
      await tools.git.tip(source);
      return { isOk: true, messages: [`The repository has the branch ${source.branch}.`] };
    } catch (failure) {
      return { isOk: false, messages: [(failure as Error).message] };
    }
  },

  checkOut: (settings, revision, into, tools) => tools.git.checkOut(sourceOf(settings), revision, into),
} satisfies ScmPlugin;

function sourceOf(settings: SettingValues): GitSource & { readonly paths: readonly string[] } {
  const [username, password] = [readText(settings, 'username').trim(), readText(settings, 'password')];
  return {
    url: readText(settings, 'url').trim(),
    branch: readText(settings, 'branch').trim() || DEFAULT_BRANCH,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    paths: pathsOf(settings),
  };
}

function pathsOf(settings: SettingValues): readonly string[] {
  return readText(settings, 'path')
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

function checkSettings(settings: SettingValues): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  // A URL is stored and shown in clear text, so a password inside it would not stay secret.
  if (PASSWORD_IN_URL.test(readText(settings, 'url').trim())) {
    problems.push({ key: 'url', message: 'url must not contain a password. Please use username and password.' });
  }
  if (!isBlank(settings, 'path') && pathsOf(settings).length === 0) {
    problems.push({ key: 'path', message: 'path must name at least one path; several are separated by commas.' });
  }
  if (isBlank(settings, 'username') && !isBlank(settings, 'password')) {
    problems.push({ key: 'username', message: 'username cannot be blank when password is provided.' });
  }
  return problems;
}

function remember(tip: string, { keep }: ScmTools): void {
  keep(JSON.stringify({ tip }));
}

function rememberedTip({ kept }: ScmTools): unknown {
  try {
    return (JSON.parse(kept ?? '{}') as { tip?: unknown }).tip;
  } catch {
    return undefined; // it only saves time
  }
}

// Artifacts of a hostile upstream, fetched into a real checkout: nothing that git would run comes into its folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import { startAgent } from '../support/builds/agent-process.ts';
import { AgentServer, workOf } from '../support/builds/agent-server.ts';

const CONTENT = '[core]\n\tfsmonitor = "touch owned"\n';
const MATERIAL = { fingerprint: 'f', destination: 'src', revision: 'r', description: 'x', username: null, password: null };
const server = new AgentServer();
const artifactServer = server.artifacts;
before(() => server.start());
after(() => server.stop());
afterEach(() => artifactServer.fetched.clear());

interface Wanted {
  /** The artifacts of the upstream in its folder `all`. */
  readonly files: readonly string[];
  readonly destination?: string;
  readonly source?: string;
  setUp?(folder: string): void;
}

/** The folder of the pipeline has a checkout in `src`. */
async function fetched(context: TestContext, { files, destination = 'src', source = 'all', setUp = () => {} }: Wanted) {
  const agent = startAgent(context, server);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q', join(folder, 'src')]);
  setUp(folder);
  for (const path of files) artifactServer.fetched.set(path, Buffer.from(CONTENT));
  const from = { pipeline: 'libs', pipeline_counter: 3, stage: 'dist', stage_counter: 2, job: 'pack' };
  const is_file = files.length === 1 && !files[0]!.includes('/');
  const task = { type: 'fetch', id: 4, from, source, is_file, destination, run_if: [], on_cancel: null } as const;
  const material = { type: 'git', ...MATERIAL, url: 'x', branch: 'main', shallow_clone: false, submodule_folder: null } as const;
  const work = workOf([task], { fetch_materials: false, materials: [material] });
  const before = readFileSync(join(folder, 'src/.git/config'), 'utf8');
  server.order({ order: 'work', work });
  const result = await server.completed(work.job);
  assert.equal(readFileSync(join(folder, 'src/.git/config'), 'utf8'), before);
  const errors = server.linesOf(work.job).filter((line) => line.startsWith('&2|'));
  return { result, error: errors[0] ?? '', folder };
}

const hostile: Readonly<Record<string, Wanted & { readonly named: string }>> = {
  'the settings of a checkout': { files: ['.git/config'], destination: '', source: 'src', named: 'src/.git/config' },
  'a hook': { files: ['a.txt', '.git/hooks/post-checkout'], destination: '', source: 'src', named: 'src/.git/hooks/post-checkout' },
  'in other letters': { files: ['.GiT/config'], destination: '', source: 'src', named: 'src/.GiT/config' },
  'a repository of its own, deep in a checkout': { files: ['deep/.git/config'], named: 'src/all/deep/.git/config' },
  'a file that leads to another one': { files: ['.git'], destination: 'src/sub', named: 'src/sub/.git' },
  'a folder whose name is that of the destination': { files: ['config'], destination: 'src/.git', named: 'src/.git/config' },
  'a folder that comes with its name': { files: ['hooks/x', 'y'], source: 'x/.git', named: 'src/.git/hooks/x' },
  'by way of a link in the checkout': {
    files: ['hooks/pre-commit', 'b'],
    setUp: (folder) => {
      mkdirSync(join(folder, 'src', 'all'));
      symlinkSync('../.git/hooks', join(folder, 'src', 'all', 'hooks'));
    },
    named: 'src/.git/hooks',
  },
};

for (const [name, { named, ...wanted }] of Object.entries(hostile))
  test(`files that git would run are not fetched into a checkout: ${name}`, async (context) => {
    const { result, error, folder } = await fetched(context, wanted);
    assert.equal(result, 'Failed');
    assert.ok(error.includes(`${named} is not fetched: a material is checked out in ${join(folder, 'src')}, `), error);
    assert.equal(existsSync(join(folder, 'src/.git/hooks/post-checkout')), false);
    assert.equal(existsSync(join(folder, 'src/.git/hooks/pre-commit')), false);
  });

test('a repository is fetched whole to a folder where nothing is checked out', async (context) => {
  const setUp = (folder: string) => void execFileSync('git', ['init', '-q', join(folder, 'copies/all')]);
  const alone = await fetched(context, { files: ['.git/config', 'README'], destination: 'copies', setUp });
  assert.deepEqual([alone.result, readFileSync(join(alone.folder, 'copies/all/.git/config'), 'utf8')], ['Passed', CONTENT]);
});

test('files with names similar to those of git are fetched', async (context) => {
  const similar = await fetched(context, { files: ['.gitignore', '.github/workflow', 'git/x'], destination: '', source: 'src' });
  assert.deepEqual([similar.result, existsSync(join(similar.folder, 'src/.github/workflow'))], ['Passed', true]);
});

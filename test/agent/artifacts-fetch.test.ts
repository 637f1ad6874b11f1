// Tasks that fetch artifacts: the fetched files, their places, files that stay, and refusals.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import type { WorkTask } from '../../src/contracts/agent-protocol/work.ts';
import { spawnAgent, startAgent, temporaryFolder, watchMemory } from '../support/builds/agent-process.ts';
import { AgentServer, script, workOf } from '../support/builds/agent-server.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
const server = new AgentServer();
const artifactServer = server.artifacts;
before(() => server.start());
after(() => server.stop());
afterEach(() => {
  artifactServer.fetched.clear();
  artifactServer.override = () => undefined;
  artifactServer.corrupt = (_, content) => content;
  artifactServer.cutAfter = undefined;
  artifactServer.pageSize = 10_000;
  artifactServer.archivePrefix = '';
});

type Fetch = Extract<WorkTask, { readonly type: 'fetch' }>;

function fetchOf(source: string, is_file: boolean, destination: string | null = null, more: Partial<Fetch> = {}): Fetch {
  const from = { pipeline: 'libs', pipeline_counter: 3, stage: 'dist', stage_counter: 2, job: 'pack' };
  return { type: 'fetch', id: 4, from, source, is_file, destination, run_if: [], on_cancel: null, ...more };
}

async function fetched(context: TestContext, tasks: readonly WorkTask[], setUp: (folder: string) => void = () => {}) {
  const agent = startAgent(context, server);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  setUp(folder);
  const work = workOf(tasks, { fetch_materials: false });
  server.order({ order: 'work', work });
  const result = await server.completed(work.job);
  const of = (tag: string) =>
    server
      .linesOf(work.job)
      .filter((line) => line.startsWith(`${tag}|`))
      .map((line) =>
        line
          .slice(3)
          .replace('[Slipway] ', '')
          .replace(/in \d+ ms/, 'in 9 ms'),
      );
  return { result, said: of('&1'), errors: of('&2'), folder, job: work.job };
}

function tree(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((one) => join(one.parentPath, one.name).slice(folder.length + 1) + (one.isDirectory() ? '/' : '')).sort();
}

const requestsOf = (job: number, what: string) => artifactServer.requests.filter((one) => one.job === job && one.what === `fetch ${what}`);
const put = (path: string, content: Buffer | string = `content of ${path}`) => artifactServer.fetched.set(path, Buffer.from(content));

describe('fetched files', () => {
  test('a file lies in the destination under its name', async (context) => {
    put('lib.jar');
    const { result, said, folder, job } = await fetched(context, [fetchOf('pkg/lib.jar', true, 'lib/ext')]);
    assert.equal(result, 'Passed');
    assert.deepEqual(tree(folder), ['lib/', 'lib/ext/', 'lib/ext/lib.jar']);
    assert.equal(readFileSync(join(folder, 'lib/ext/lib.jar'), 'utf8'), 'content of lib.jar');
    assert.deepEqual(said, [
      'Fetching artifact [pkg/lib.jar] from [libs/3/dist/2/pack]',
      'Fetched 1 file (18 bytes) in 9 ms.',
      `Saved artifact to [${folder}/lib/ext] after verifying the integrity of its contents.`,
    ]);
    const [list] = artifactServer.requests.filter((one) => one.job === job);
    assert.deepEqual([list!.what, list!.query], ['fetch files', { epoch: '1' }]);
  });

  test('a file without a destination lies in the folder of the pipeline', async (context) => {
    put('lib.jar');
    const { folder } = await fetched(context, [fetchOf('lib.jar', true)]);
    assert.deepEqual(tree(folder), ['lib.jar']);
  });

  for (const [source, name] of [
    ['pkg/out', 'out'],
    ['out/', 'out'],
    ['pkg\\out', 'out'],
  ] as const)
    test(`a folder comes with its name: ${source}`, async (context) => {
      put('a.txt');
      put('sub/ä 漢.txt');
      put('none/');
      const { folder, result } = await fetched(context, [fetchOf(source, false, 'd')]);
      assert.equal(result, 'Passed');
      assert.deepEqual(tree(folder), [
        'd/',
        `d/${name}/`,
        `d/${name}/a.txt`,
        `d/${name}/none/`,
        `d/${name}/sub/`,
        `d/${name}/sub/ä 漢.txt`,
      ]);
    });

  test('a folder is fetched with all pages of its list', async (context) => {
    artifactServer.pageSize = 3;
    for (let index = 0; index < 10; index++) put(`f${index}`, `${index}`);
    put('e/');
    put('g/');
    const { folder, job } = await fetched(context, [fetchOf('all', false)]);
    assert.deepEqual(tree(join(folder, 'all')), ['e/', ...Array.from({ length: 10 }, (_, index) => `f${index}`), 'g/']);
    assert.deepEqual(
      requestsOf(job, 'files').map(({ query }) => query.after),
      [undefined, 'f1', 'f4', 'f7'],
    );
  });

  for (const prefix of ['', 'pkg/many/'])
    test(`many small files come as one archive, with "${prefix}" in front of their names`, async (context) => {
      artifactServer.archivePrefix = prefix;
      for (let index = 0; index < 2000; index++) put(`d${index % 20}/${index}`, `small ${index} `.repeat(index % 30));
      put('large', Buffer.alloc(2 * MB));
      const { result, folder, job } = await fetched(context, [fetchOf('many', false)]);
      assert.equal(result, 'Passed');
      for (const [path, content] of artifactServer.fetched) assert.ok(readFileSync(join(folder, 'many', path)).equals(content), path);
      assert.equal(tree(join(folder, 'many')).filter((path) => !path.endsWith('/')).length, artifactServer.fetched.size);
      assert.deepEqual([requestsOf(job, 'archive').length, requestsOf(job, 'file').length], [1, 1]);
    });

  test('an empty file is fetched', async (context) => {
    put('empty', '');
    const { folder, result } = await fetched(context, [fetchOf('empty', true)]);
    assert.deepEqual([result, statSync(join(folder, 'empty')).size], ['Passed', 0]);
  });

  test('fetched files are there for the next task, and nothing else is', async (context) => {
    put('run.txt', 'hello');
    const { said } = await fetched(context, [fetchOf('run.txt', true, 'in'), script('cat in/run.txt; echo; ls -A in')]);
    assert.deepEqual(said.slice(-2), ['hello', 'run.txt']);
  });
});

describe('a file that is there already', () => {
  test('a file that is there already is not fetched again, and is replaced if it differs', async (context) => {
    for (const name of ['same', 'other', 'longer']) put(name);
    put('large', Buffer.alloc(2 * MB, 'x'));
    const { folder, job, said } = await fetched(context, [fetchOf('all', false)], (target) => {
      mkdirSync(join(target, 'all'));
      writeFileSync(join(target, 'all', 'same'), 'content of same', { mode: 0o600 });
      writeFileSync(join(target, 'all', 'other'), 'CONTENT of other');
      writeFileSync(join(target, 'all', 'longer'), 'content of longer!');
      writeFileSync(join(target, 'all', 'large'), Buffer.alloc(2 * MB, 'x'));
      writeFileSync(join(target, 'all', 'own'), 'of the pipeline');
    });
    assert.deepEqual(tree(join(folder, 'all')), ['large', 'longer', 'other', 'own', 'same']);
    assert.equal(readFileSync(join(folder, 'all/other'), 'utf8'), 'content of other');
    assert.equal(readFileSync(join(folder, 'all/longer'), 'utf8'), 'content of longer');
    assert.equal(statSync(join(folder, 'all/same')).mode & 0o777, 0o600);
    assert.ok(!requestsOf(job, 'file').some(({ query }) => query.path === 'same' || query.path === 'large'));
    assert.equal(said[1], 'Fetched 2 files (33 bytes) in 9 ms; 2 files had not changed.');
  });

  test('an existing file that is a link to a file elsewhere is replaced, and the other file stays', async (context) => {
    put('lib');
    const outside = join(temporaryFolder(context), 'outside');
    writeFileSync(outside, 'content of lib');
    const { folder, result } = await fetched(context, [fetchOf('lib', true)], (target) => symlinkSync(outside, join(target, 'lib')));
    assert.equal(result, 'Passed');
    assert.ok(!readdirSync(folder, { withFileTypes: true })[0]!.isSymbolicLink());
    assert.equal(readFileSync(outside, 'utf8'), 'content of lib');
  });

  test('an unfinished file of an agent that was killed is replaced', async (context) => {
    put('lib');
    artifactServer.cutAfter = 1;
    const { folder } = await fetched(context, [fetchOf('lib', true)]);
    assert.deepEqual(tree(folder), ['lib']);
  });
});

describe('failures', () => {
  const changed = (path: string) =>
    `Verification of the integrity of the artifact [${path}] failed. The artifact file on the server may have changed since its original upload.`;

  test('a missing source fails the job in the words of the server', async (context) => {
    const message = "Artifact 'lib.jar' is unavailable as it may have been purged by Slipway or deleted externally.";
    artifactServer.override = ({ what }) => (what === 'fetch files' ? { status: 404, body: { message } } : undefined);
    const { result, errors } = await fetched(context, [fetchOf('lib.jar', true)]);
    assert.deepEqual([result, errors], ['Failed', [message]]);
  });

  test('content that is corrupt twice fails the job', async (context) => {
    put('deep/lib', Buffer.alloc(2 * MB, 'x'));
    artifactServer.corrupt = (_, content) => Buffer.concat([content.subarray(1), Buffer.from('y')]);
    const { result, errors, job, folder } = await fetched(context, [fetchOf('all', false)]);
    assert.deepEqual([result, errors], ['Failed', [changed('deep/lib'), 'Artifact download failed for [deep/lib]']]);
    assert.equal(requestsOf(job, 'file').length, 2);
    assert.deepEqual(tree(folder), ['all/', 'all/deep/']);
  });

  test('content that is longer than it should be fails the job', async (context) => {
    put('lib', 'x');
    artifactServer.corrupt = () => Buffer.alloc(5 * MB);
    const { result, errors } = await fetched(context, [fetchOf('lib', true)]);
    assert.deepEqual([result, errors], ['Failed', [changed('lib'), 'Artifact download failed for [lib]']]);
  });

  test('content that is corrupt once is fetched again', async (context) => {
    put('lib', Buffer.alloc(2 * MB, 'x'));
    let times = 0;
    artifactServer.corrupt = (_, content) => (++times === 1 ? Buffer.alloc(content.length) : content);
    const { result, folder, job } = await fetched(context, [fetchOf('lib', true)]);
    assert.deepEqual([result, readFileSync(join(folder, 'lib')).equals(artifactServer.fetched.get('lib')!)], ['Passed', true]);
    assert.equal(requestsOf(job, 'file').length, 2);
  });

  test('corrupt files of an archive are fetched one by one', async (context) => {
    for (const name of ['a', 'b', 'c']) put(name);
    artifactServer.corrupt = ({ what }, content) =>
      what === 'fetch archive' && content.toString().endsWith('b') ? Buffer.from('content of B') : content;
    const { result, folder, job } = await fetched(context, [fetchOf('all', false)]);
    assert.deepEqual([result, readFileSync(join(folder, 'all/b'), 'utf8')], ['Passed', 'content of b']);
    assert.deepEqual(
      requestsOf(job, 'file').map(({ query }) => query.path),
      ['b'],
    );
  });

  test('the files of a broken archive are fetched one by one', async (context) => {
    for (const name of ['a', 'b', 'c']) put(name);
    artifactServer.archivePrefix = 'something';
    const { result, folder, job } = await fetched(context, [fetchOf('all', false)]);
    assert.deepEqual([result, tree(join(folder, 'all'))], ['Passed', ['a', 'b', 'c']]);
    assert.deepEqual([requestsOf(job, 'archive').length, requestsOf(job, 'file').length], [3, 3]);
  });

  test('an archive with a file that is gone fails the job in the words of the server', async (context) => {
    for (const name of ['a', 'b']) put(name);
    artifactServer.override = ({ what }) => (what === 'fetch archive' ? { status: 404, body: { message: 'It was purged.' } } : undefined);
    const { result, errors } = await fetched(context, [fetchOf('all', false)]);
    assert.deepEqual([result, errors], ['Failed', ['It was purged.']]);
  });

  for (const destination of ['../up', '/etc', 'link', 'link/deep'])
    test(`a destination outside of the folder of the pipeline fails the job: ${destination}`, async (context) => {
      put('lib');
      const outside = temporaryFolder(context);
      const { result, errors } = await fetched(context, [fetchOf('lib', true, destination)], (folder) =>
        symlinkSync(outside, join(folder, 'link')),
      );
      assert.equal(result, 'Failed');
      assert.match(errors[0]!, /^Destination ".*" is (a link that leads )?outside of the folder of the pipeline\.$/);
      assert.deepEqual(readdirSync(outside), []);
    });

  test('a folder below the destination that is a link to outside fails the job', async (context) => {
    put('sub/lib');
    const outside = temporaryFolder(context);
    const { result, errors } = await fetched(context, [fetchOf('all', false)], (folder) => {
      mkdirSync(join(folder, 'all'));
      symlinkSync(outside, join(folder, 'all', 'sub'));
    });
    assert.equal(result, 'Failed');
    assert.match(errors[0]!, /all\/sub is a link that leads outside of the folder of the pipeline: nothing is fetched into it\.$/);
    assert.deepEqual(readdirSync(outside), []);
  });

  test('a folder below the destination that is a link to another folder inside is used', async (context) => {
    put('sub/lib');
    const { result, folder } = await fetched(context, [fetchOf('all', false)], (target) => {
      mkdirSync(join(target, 'all'));
      mkdirSync(join(target, 'real'));
      symlinkSync('../real', join(target, 'all', 'sub'));
    });
    assert.deepEqual([result, existsSync(join(folder, 'real', 'lib'))], ['Passed', true]);
  });

  for (const path of ['../lib', '/etc/lib', 'a/../../lib', 'a/..'])
    test(`a name from the server that leads out of the destination fails the job: ${path}`, async (context) => {
      put(path);
      const { result, errors } = await fetched(context, [fetchOf('all', false, 'd')]);
      assert.deepEqual([result, errors], ['Failed', [`The server names a file that would lie outside of the destination: ${path}`]]);
    });

  test('a file in the place of a folder fails the job, and so does a folder in the place of a file', async (context) => {
    put('sub/lib');
    const tasks = [fetchOf('all', false), fetchOf('other', false, null, { run_if: ['any'] })];
    const { errors } = await fetched(context, tasks, (folder) => {
      mkdirSync(join(folder, 'all'));
      writeFileSync(join(folder, 'all', 'sub'), '');
      mkdirSync(join(folder, 'other', 'sub', 'lib'), { recursive: true });
    });
    assert.match(errors[0]!, /all\/sub is in the way: it is a file, and a folder is to be fetched there\.$/);
    assert.match(errors[1]!, /other\/sub\/lib is in the way: it is a folder, and a file is to be fetched there\.$/);
  });
});

describe('connections that break', () => {
  const large = Buffer.alloc(10 * MB, 'large ');

  test('a fetched file goes on where its connection broke', async (context) => {
    put('large', large);
    artifactServer.cutAfter = 3 * MB;
    const { result, folder, job } = await fetched(context, [fetchOf('large', true)]);
    assert.equal(result, 'Passed');
    assert.ok(readFileSync(join(folder, 'large')).equals(large));
    const [first, second, ...more] = requestsOf(job, 'file');
    assert.deepEqual([first!.headers.range, more], [undefined, []]);
    assert.match(second!.headers.range!, /^bytes=[1-9]\d{5,}-$/);
  });

  test('a fetched file begins anew after a break if the server knows no ranges', async (context) => {
    put('large', large);
    artifactServer.cutAfter = 3 * MB;
    artifactServer.override = (request) => {
      if (request.what === 'fetch file') delete request.headers.range;
      return undefined;
    };
    const { result, folder } = await fetched(context, [fetchOf('large', true)]);
    assert.equal(result, 'Passed');
    assert.ok(readFileSync(join(folder, 'large')).equals(large));
  });

  test('a broken archive is continued by an archive of the files that are missing', async (context) => {
    for (let index = 0; index < 500; index++) put(`${index}`.padStart(3, '0'), Buffer.alloc(5000, String(index)));
    artifactServer.cutAfter = MB;
    const { result, folder, job } = await fetched(context, [fetchOf('many', false)]);
    assert.equal(result, 'Passed');
    for (const [path, content] of artifactServer.fetched) assert.ok(readFileSync(join(folder, 'many', path)).equals(content), path);
    const counts = requestsOf(job, 'archive').map(({ headers }) => Number(headers['content-length']));
    assert.equal(counts.length, 2);
    assert.ok(counts[1]! < counts[0]! - 100, String(counts));
  });

  for (const what of ['files', 'file'])
    test(`a fetch task tries again after a break, and while the server is away: ${what}`, async (context) => {
      put('large', large);
      let times = 0;
      artifactServer.override = (request) =>
        request.what !== `fetch ${what}` || ++times > 3 ? undefined : times === 1 ? 'cut' : { status: 503, body: {} };
      const { result, folder } = await fetched(context, [fetchOf('large', true)]);
      assert.deepEqual([result, readFileSync(join(folder, 'large')).equals(large)], ['Passed', true]);
      assert.equal(times, 4);
    });

  test('a job can be cancelled while it waits, and leaves nothing unfinished', async (context) => {
    put('large', large);
    let isBegun = false;
    artifactServer.override = ({ what }) => {
      if (what !== 'fetch file') return undefined;
      isBegun = true;
      return { status: 503, body: {} };
    };
    const tasks = [fetchOf('large', true)];
    const ended = fetched(context, tasks);
    await until('the fetch', () => isBegun);
    server.order({ order: 'cancel', job: artifactServer.requests.at(-1)!.job });
    const { result, errors, folder } = await ended;
    assert.deepEqual([result, errors, tree(folder)], ['Cancelled', [], []]);
  });

  test('a task of a cancel can fetch', async (context) => {
    put('undo', 'undo');
    const { run_if, on_cancel, ...onCancel } = fetchOf('undo', true, null, { id: 5 });
    const ended = fetched(context, [script('echo begun; sleep 1000', { on_cancel: onCancel })]);
    const job = workOf([]).job - 1;
    await server.line(job, /begun/);
    server.order({ order: 'cancel', job });
    const { result, folder } = await ended;
    assert.deepEqual([result, tree(folder)], ['Cancelled', ['undo']]);
  });
});

test('100 MB take no memory', async (context) => {
  put('large', Buffer.alloc(100 * MB, 'large '));
  const workDir = temporaryFolder(context);
  const agent = spawnAgent(context, server, workDir);
  const grown = await watchMemory(context, agent);
  const work = workOf([fetchOf('large', true)], { fetch_materials: false });
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  context.diagnostic(`${Math.round(grown() / MB)} MB more`);
  assert.ok(grown() <= 64 * MB, `${Math.round(grown() / MB)} MB more`);
});

// An agent uploads the artifacts of jobs: which files, their places, and the lines in the console.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Work, WorkArtifact } from '../../src/contracts/agent-protocol/work.ts';
import { startAgent } from '../support/builds/agent-process.ts';
import { AgentServer, exec, script, workOf } from '../support/builds/agent-server.ts';

const server = new AgentServer();
const artifactServer = server.artifacts;
before(() => server.start());
after(() => server.stop());

const of = (lines: readonly string[], tag: string) =>
  lines.filter((line) => line.startsWith(`${tag}|`)).map((line) => line.slice(3).replace('[Slipway] ', ''));

const build = (source: string, destination: string | null = null): WorkArtifact => ({ type: 'build', source, destination });

function files(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), `content of ${path}`);
  }
}

/** `setUp` is given the folder of the pipeline. */
async function uploaded(context: TestContext, work: Work, setUp: (folder: string) => void = () => {}) {
  const agent = startAgent(context, server);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  setUp(folder);
  server.order({ order: 'work', work });
  const result = await server.completed(work.job);
  const lines = server.linesOf(work.job);
  return { result, lines, said: of(lines, 'ar'), errors: of(lines, 'ae'), folder, tree: artifactServer.tree(work.job) };
}

const bare = (artifacts: readonly WorkArtifact[]) => workOf([], { artifacts, fetch_materials: false });

describe('sources', () => {
  const TREE = [
    'a.txt',
    'b.log',
    'dist/app.js',
    'dist/css/site.css',
    'dist/none/',
    'reports/one/x.xml',
    'reports/two/y.xml',
    'reports/z.xml',
  ];
  const XML_BELOW_REPORTS = [
    'r/',
    'r/reports/',
    'r/reports/one/',
    'r/reports/one/x.xml',
    'r/reports/two/',
    'r/reports/two/y.xml',
    'r/reports/z.xml',
  ];
  const cases: readonly [string, string | null, readonly string[]][] = [
    ['a.txt', null, ['a.txt']],
    ['dist/app.js', 'pkg', ['pkg/', 'pkg/app.js']],
    ['./dist/css/../app.js', '/pkg/deep/', ['pkg/', 'pkg/deep/', 'pkg/deep/app.js']],
    ['dist', 'pkg', ['pkg/', 'pkg/dist/', 'pkg/dist/app.js', 'pkg/dist/css/', 'pkg/dist/css/site.css', 'pkg/dist/none/']],
    ['dist/', null, ['dist/', 'dist/app.js', 'dist/css/', 'dist/css/site.css', 'dist/none/']],
    ['*.txt', 'text', ['text/', 'text/a.txt']],
    ['?.*', null, ['a.txt', 'b.log']],
    ['dist/*', 'd', ['d/', 'd/app.js', 'd/css/', 'd/css/site.css', 'd/none/']],
    ['dist/**', 'd', ['d/', 'd/app.js', 'd/css/', 'd/css/site.css', 'd/none/']],
    ['**/*.xml', 'r', XML_BELOW_REPORTS],
    ['reports/**/*.xml', null, ['one/', 'one/x.xml', 'two/', 'two/y.xml', 'z.xml']],
    ['*/*/*.css', null, ['dist/', 'dist/css/', 'dist/css/site.css']],
    ['dist/c?s/*.css', 'c', ['c/', 'c/css/', 'c/css/site.css']],
    ['rep*/t?o', 'r', ['r/', 'r/reports/', 'r/reports/two/', 'r/reports/two/y.xml']],
  ];
  for (const [source, destination, expected] of cases)
    test(`${source} into ${destination}`, async (context) => {
      const { result, tree, errors } = await uploaded(context, bare([build(source, destination)]), (folder) => files(folder, ...TREE));
      assert.deepEqual([result, errors, tree], ['Passed', [], expected]);
    });

  test('an upload sends the content, and writes its lines into the console', async (context) => {
    const work = bare([build('dist', 'pkg'), { type: 'test', source: 'reports', destination: null }]);
    const { folder, said } = await uploaded(context, work, (target) => files(target, ...TREE));
    assert.equal(artifactServer.content(work.job, 'pkg/dist/app.js'), 'content of dist/app.js');
    assert.equal(artifactServer.content(work.job, 'testoutput/reports/one/x.xml'), 'content of reports/one/x.xml');
    assert.deepEqual(
      said.map((line) => line.replace(/in \d+ ms/, 'in 9 ms')),
      [
        `Start to upload shop/7/test/1/unit on ${said[0]!.split(' on ')[1]}`,
        `Uploading artifacts from ${folder}/dist to pkg`,
        'Uploaded 2 files (50 bytes) in 9 ms.',
        `Uploading artifacts from ${folder}/reports to testoutput`,
        'Uploaded 3 files (80 bytes) in 9 ms.',
      ],
    );
    assert.deepEqual(
      artifactServer.publications.filter(({ job }) => job === work.job).map(({ type, epoch, folders }) => [type, epoch, folders]),
      [
        ['build', 1, ['pkg/dist/none']],
        ['test', 1, []],
      ],
    );
  });

  test('matches keep the part of the path that the wildcards matched, whatever else there is', async (context) => {
    const { tree } = await uploaded(context, bare([build('in/**/r.xml', 'r')]), (folder) =>
      files(folder, 'in/a/r.xml', 'in/b/c/r.xml', 'in/r.xml'),
    );
    assert.deepEqual(tree, ['r/', 'r/a/', 'r/a/r.xml', 'r/b/', 'r/b/c/', 'r/b/c/r.xml', 'r/r.xml']);
  });

  test('files may have names in Unicode, with blanks, with brackets, and long ones', async (context) => {
    const long = `${'l'.repeat(120)}/${'m'.repeat(200)}.txt`;
    const names = ['ä ö/漢字 🚀.txt', '[draft] {1}.txt', '-dash.txt', `deep/${long}`, '100% & more?.txt', '.hidden/.file'];
    const { tree, result, errors } = await uploaded(context, bare([build('all', 'x')]), (folder) =>
      files(folder, ...names.map((name) => `all/${name}`)),
    );
    assert.deepEqual([result, errors], ['Passed', []]);
    assert.deepEqual(
      tree.filter((path) => !path.endsWith('/')),
      names.map((name) => `x/all/${name}`).sort(),
    );
  });

  test('a question mark is one character, also a long one', async (context) => {
    const { tree } = await uploaded(context, bare([build('🚀?.t*')]), (folder) => files(folder, '🚀ä.txt', '🚀🚀.txt', '🚀ab.txt'));
    assert.deepEqual(tree, ['🚀ä.txt', '🚀🚀.txt']);
  });

  test('an empty folder is kept', async (context) => {
    const { tree, result } = await uploaded(context, bare([build('empty')]), (folder) => files(folder, 'empty/'));
    assert.deepEqual([result, tree], ['Passed', ['empty/']]);
  });
});

describe('failures', () => {
  for (const [source, destination, sentence] of [
    ['nothing/here.txt', null, 'Failed to find nothing/here.txt'],
    ['*.none', null, 'Failed to find *.none'],
    ['a.txt/*', null, 'Failed to find a.txt/*'],
    ['../other', null, 'The source "../other" is outside of the folder of the pipeline.'],
    ['a/../../b', null, 'The source "a/../../b" is outside of the folder of the pipeline.'],
    ['/etc/passwd', null, 'The source "/etc/passwd" is outside of the folder of the pipeline.'],
    ['a.txt', '../up', 'The destination "../up" is outside of the folder of the job.'],
  ] as const)
    test(`${source} into ${destination}: ${sentence}`, async (context) => {
      const work = bare([build(source, destination), build('a.txt', 'kept')]);
      const { result, errors, tree } = await uploaded(context, work, (folder) => files(folder, 'a.txt'));
      assert.deepEqual([result, errors], ['Failed', [sentence, `Uploading finished. Failed to upload [${source}].`]]);
      // The others are uploaded.
      assert.deepEqual(tree, ['kept/', 'kept/a.txt']);
      assert.deepEqual(server.statesOf(work.job).slice(-2), ['Completing Passed', 'Completed Failed']);
    });

  test('a failed job leaves its artifacts', async (context) => {
    const work = workOf([exec('false', [])], { artifacts: [build('a.txt')], fetch_materials: false });
    const { result, tree } = await uploaded(context, work, (folder) => files(folder, 'a.txt'));
    assert.deepEqual([result, tree], ['Failed', ['a.txt']]);
  });

  test('a cancelled job leaves no artifacts', async (context) => {
    const work = workOf([script('echo begun; sleep 1000')], { artifacts: [build('a.txt')], fetch_materials: false });
    const ended = uploaded(context, work, (folder) => files(folder, 'a.txt'));
    await server.line(work.job, /begun/);
    server.order({ order: 'cancel', job: work.job });
    const { result, tree, said } = await ended;
    assert.deepEqual([result, tree, said], ['Cancelled', [], []]);
  });
});

describe('links', () => {
  test('links that stay inside are read as their targets', async (context) => {
    const { tree, said } = await uploaded(context, bare([build('dist')]), (folder) => {
      files(folder, 'real/a.txt', 'dist/own.txt');
      symlinkSync('../real', join(folder, 'dist', 'folder'));
      symlinkSync(join(folder, 'real', 'a.txt'), join(folder, 'dist', 'file.txt'));
    });
    assert.deepEqual(tree, ['dist/', 'dist/file.txt', 'dist/folder/', 'dist/folder/a.txt', 'dist/own.txt']);
    assert.deepEqual(
      said.filter((line) => line.startsWith('Skipped')),
      [],
    );
  });

  test('links that lead out, nowhere or in circles are skipped and named', async (context) => {
    const { tree, said, result } = await uploaded(context, bare([build('dist')]), (folder) => {
      files(folder, 'dist/own.txt', 'dist/deep/own.txt');
      symlinkSync('/etc', join(folder, 'dist', 'etc'));
      symlinkSync('/etc/passwd', join(folder, 'dist', 'passwd'));
      symlinkSync('..', join(folder, 'dist', 'up'));
      symlinkSync('../..', join(folder, 'dist', 'out'));
      symlinkSync('gone', join(folder, 'dist', 'broken'));
      symlinkSync('self', join(folder, 'dist', 'self'));
      symlinkSync('..', join(folder, 'dist', 'deep', 'circle'));
    });
    assert.equal(result, 'Passed');
    assert.ok(tree.includes('dist/own.txt') && tree.includes('dist/deep/own.txt'));
    assert.ok(!tree.some((path) => /passwd|broken|self|circle|\/etc|\/out/.test(path)));
    const skipped = said.filter((line) => line.startsWith('Skipped dist/') && !line.includes('/up')).sort();
    assert.deepEqual(skipped, [
      'Skipped dist/broken: it is a link that leads nowhere.',
      'Skipped dist/deep/circle: it is a link to a folder that it is in.',
      'Skipped dist/etc: a link leads out of the folder of the pipeline.',
      'Skipped dist/out: a link leads out of the folder of the pipeline.',
      'Skipped dist/passwd: a link leads out of the folder of the pipeline.',
      'Skipped dist/self: it is a link that leads to itself.',
    ]);
  });

  for (const source of ['out', 'out/hostname', 'out/host*', 'o?t'])
    test(`a source through a link that leads out finds nothing: ${source}`, async (context) => {
      const { result, said, errors } = await uploaded(context, bare([build(source)]), (folder) => symlinkSync('/etc', join(folder, 'out')));
      assert.deepEqual([result, errors[0]], ['Failed', `Failed to find ${source}`]);
      assert.ok(said.some((line) => /^Skipped out.*: a link leads out of the folder of the pipeline\.$/.test(line)));
    });
});

test('pipes, sockets and devices are skipped and named', async (context) => {
  const socket = createServer();
  context.after(() => socket.close());
  const { tree, said, result } = await uploaded(context, bare([build('dist'), build('d*/f*')]), (folder) => {
    files(folder, 'dist/f.txt');
    execFileSync('mkfifo', [join(folder, 'dist', 'fifo')]);
    symlinkSync('fifo', join(folder, 'dist', 'link'));
    socket.listen(join(folder, 'dist', 'sock'));
    if (process.getuid?.() === 0) execFileSync('mknod', [join(folder, 'dist', 'null'), 'c', '1', '3']);
  });
  assert.deepEqual([result, tree], ['Passed', ['dist/', 'dist/f.txt']]);
  const skipped = said.filter((line) => line.startsWith('Skipped'));
  const expected = ['fifo: it is a pipe.', 'fifo: it is a pipe.', 'link: it is a pipe.', 'sock: it is a socket.'];
  if (process.getuid?.() === 0) expected.push('null: it is a device.');
  assert.deepEqual(skipped.sort(), expected.map((one) => `Skipped dist/${one}`).sort());
});

test('names that cannot be those of artifacts are skipped', async (context) => {
  const { tree, said, result } = await uploaded(context, bare([build('dist')]), (folder) => {
    files(folder, 'dist/f.txt');
    for (const bytes of [Buffer.from([0xff]), Buffer.from('\n'), Buffer.from('\\')])
      writeFileSync(Buffer.concat([Buffer.from(join(folder, 'dist/x')), bytes]), '');
  });
  assert.deepEqual([result, tree], ['Passed', ['dist/', 'dist/f.txt']]);
  assert.deepEqual(said.filter((line) => line.startsWith('Skipped')).sort(), [
    'Skipped dist/x?: its name has a control character.',
    'Skipped dist/x\\: its name has a backslash.',
    'Skipped dist/x\u{fffd}: its name is not UTF-8.',
  ]);
});

// Uploads that do not go smoothly: cuts, restarts, full disks, broken files, and much at once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { WorkArtifact } from '../../src/contracts/agent-protocol/work.ts';
import { spawnAgent, startAgent, temporaryFolder, watchMemory } from '../support/builds/agent-process.ts';
import { AgentServer, workOf } from '../support/builds/agent-server.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
const server = new AgentServer();
const artifactServer = server.artifacts;
before(() => server.start());
after(() => server.stop());
afterEach(() => {
  artifactServer.override = () => undefined;
  artifactServer.cutAfter = undefined;
});

const of = (job: number, tag: string) =>
  server
    .linesOf(job)
    .filter((line) => line.startsWith(`${tag}|`))
    .map((line) => line.slice(3).replace('[Slipway] ', ''));
const build = (source: string, destination: string | null = null): WorkArtifact => ({ type: 'build', source, destination });
const requestsOf = (job: number, what: string) => artifactServer.requests.filter((one) => one.job === job && one.what === what);

function begin(context: TestContext, setUp: (folder: string) => void, ...artifacts: readonly WorkArtifact[]) {
  const work = workOf([], { artifacts, fetch_materials: false });
  const agent = startAgent(context, server);
  const folder = join(agent.workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  setUp(folder);
  server.order({ order: 'work', work });
  return { job: work.job, folder, agent };
}

/** Content that is not the same everywhere. */
function content(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4096) buffer.writeUInt32LE(at, at);
  return buffer;
}

describe('a large file', () => {
  const large = content(8 * MB + 17);
  const setUp = (folder: string) => writeFileSync(join(folder, 'large.bin'), large);

  test('comes alone, with its size', async (context) => {
    const { job } = begin(context, setUp, build('large.bin', 'd'));
    assert.equal(await server.completed(job), 'Passed');
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'd/large.bin')).equals(large));
    const [only, ...more] = requestsOf(job, 'file');
    assert.deepEqual([only!.query, more], [{ epoch: '1', path: 'd/large.bin', offset: '0' }, []]);
    assert.deepEqual([only!.headers['x-svc-artifact-size'], only!.headers['content-length']], [String(large.length), String(large.length)]);
    assert.equal(requestsOf(job, 'archive').length, 0);
  });

  test('goes on after a cut where the server says', async (context) => {
    artifactServer.cutAfter = 2 * MB;
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Passed');
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'large.bin')).equals(large));
    const offsets = requestsOf(job, 'file').map(({ query }) => Number(query.offset));
    assert.equal(offsets.length, 3);
    assert.deepEqual(offsets.slice(0, 2), [0, large.length]);
    assert.ok(offsets[2]! >= 2 * MB && offsets[2]! < large.length, String(offsets));
  });

  test('goes on after the server was away', async (context) => {
    let isStopped = false;
    artifactServer.override = ({ what }) => {
      if (what !== 'file' || isStopped) return undefined;
      isStopped = true;
      setTimeout(
        () =>
          void server
            .stop()
            .then(() => wait(500))
            .then(() => server.start()),
        5,
      );
      return undefined;
    };
    const { job } = begin(context, (folder) => writeFileSync(join(folder, 'large.bin'), content(50 * MB)), build('large.bin'));
    assert.equal(await server.completed(job), 'Passed');
    assert.ok(isStopped);
    const offsets = requestsOf(job, 'file').map(({ query }) => Number(query.offset));
    assert.ok(offsets.length >= 2, String(offsets));
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'large.bin')).equals(content(50 * MB)));
  });

  test('a large file of which the server has lost a part is sent again from there', async (context) => {
    artifactServer.cutAfter = 4 * MB;
    artifactServer.override = ({ job, what, query }) => {
      if (what === 'file' && Number(query.offset) === large.length) truncateSync(artifactServer.stagedAt(job, 'large.bin'), MB);
      return undefined;
    };
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Passed');
    assert.deepEqual(
      requestsOf(job, 'file').map(({ query }) => Number(query.offset)),
      [0, large.length, MB],
    );
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'large.bin')).equals(large));
  });

  test('is refused without a second try when the disk is full, in the words of GoCD', async (context) => {
    artifactServer.override = ({ what }) => (what === 'file' ? { status: 413, body: {} } : undefined);
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Failed');
    assert.deepEqual(of(job, 'ae'), [
      `Artifact upload for file large.bin (Size: ${large.length}) was denied by the server. This usually happens when server runs out of disk space.`,
      'Uploading finished. Failed to upload [large.bin].',
    ]);
    assert.equal(requestsOf(job, 'file').length, 1);
  });

  test('a large file that the server refuses fails with its words', async (context) => {
    artifactServer.override = ({ what }) => (what === 'file' ? { status: 422, body: { message: 'No such folder.' } } : undefined);
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Failed');
    assert.equal(of(job, 'ae')[0], 'No such folder.');
  });

  for (const status of [401, 429, 500, 502, 503])
    test(`waits while the server says ${status}`, async (context) => {
      let times = 0;
      artifactServer.override = ({ what }) => (what !== 'publication' && ++times <= 2 ? { status, body: {} } : undefined);
      const { job } = begin(context, setUp, build('large.bin'));
      assert.equal(await server.completed(job), 'Passed');
      assert.ok(times > 2);
    });

  test('a large file that the server still has open is tried again', async (context) => {
    let times = 0;
    artifactServer.override = ({ what }) =>
      what !== 'publication' && ++times <= 2 ? { status: 409, body: { message: 'in use', length: 0 } } : undefined;
    const { job } = begin(
      context,
      (folder) => {
        setUp(folder);
        writeFileSync(join(folder, 'small'), 's');
      },
      build('small'),
      build('large.bin'),
    );
    assert.equal(await server.completed(job), 'Passed');
    assert.deepEqual([requestsOf(job, 'archive').length, times], [3, 4]);
  });

  test('a large file that was cut off on the way to the server is tried again, and not for ever', async (context) => {
    let times = 0;
    artifactServer.override = ({ what }) => (what === 'file' && ++times <= 2 ? { status: 400, body: { message: 'cut off' } } : undefined);
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Passed');
    artifactServer.override = ({ what }) => (what === 'file' ? { status: 400, body: { message: 'cut off' } } : undefined);
    const { job: second } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(second), 'Failed');
    assert.deepEqual([of(second, 'ae')[0], requestsOf(second, 'file').length], ['cut off', 5]);
  });

  test('a large file of a job that the agent has lost fails with the words of the server', async (context) => {
    artifactServer.override = ({ what }) => (what === 'file' ? { status: 409, body: { message: 'The job is not yours.' } } : undefined);
    const { job } = begin(context, setUp, build('large.bin'));
    assert.equal(await server.completed(job), 'Failed');
    assert.deepEqual([of(job, 'ae')[0], requestsOf(job, 'file').length], ['The job is not yours.', 1]);
  });

  /** More is written into it whenever it is sent, so many times. */
  function changing(context: TestContext, mostTimes: number): number {
    let path = '';
    let times = 0;
    artifactServer.override = ({ what }) => {
      if (what === 'file' && ++times <= mostTimes) appendFileSync(path, 'more');
      return undefined;
    };
    const begun = (folder: string) => {
      setUp(folder);
      path = join(folder, 'large.bin');
    };
    return begin(context, begun, build('large.bin')).job;
  }

  test('a large file that changes while it is read is sent again', async (context) => {
    const job = changing(context, 1);
    assert.equal(await server.completed(job), 'Passed');
    assert.deepEqual(
      requestsOf(job, 'file').map(({ query }) => query.offset),
      ['0', '0'],
    );
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'large.bin')).equals(Buffer.concat([large, Buffer.from('more')])));
  });

  test('a large file that never stops changing fails', async (context) => {
    const job = changing(context, Number.POSITIVE_INFINITY);
    assert.equal(await server.completed(job), 'Failed');
    assert.equal(of(job, 'ae')[0], 'large.bin changed again and again while it was uploaded. Something still writes into it.');
    assert.equal(requestsOf(job, 'file').length, 3);
    assert.deepEqual(artifactServer.tree(job), []);
  });
});

describe('many small files', () => {
  const COUNT = 1000;
  const setUp = (folder: string) => {
    for (let index = 0; index < COUNT; index++) {
      if (index % 100 === 0) mkdirSync(join(folder, 'many', `d${index / 100}`), { recursive: true });
      writeFileSync(join(folder, 'many', `d${Math.floor(index / 100)}`, `${index}.txt`), `file ${index} `.repeat(index % 50));
    }
  };

  test('come as one archive', async (context) => {
    const { job } = begin(context, setUp, build('many'));
    assert.equal(await server.completed(job), 'Passed');
    assert.equal(artifactServer.tree(job).filter((path) => !path.endsWith('/')).length, COUNT);
    assert.equal(artifactServer.content(job, 'many/d9/999.txt'), 'file 999 '.repeat(49));
    assert.deepEqual(
      ['archive', 'file', 'publication'].map((what) => requestsOf(job, what).length),
      [1, 0, 1],
    );
  });

  test('come again after a cut', async (context) => {
    artifactServer.cutAfter = 60_000;
    const { job } = begin(context, setUp, build('many'));
    assert.equal(await server.completed(job), 'Passed');
    assert.equal(artifactServer.tree(job).filter((path) => !path.endsWith('/')).length, COUNT);
    assert.equal(requestsOf(job, 'archive').length, 2);
  });

  test('more than one publication takes come in several', async (context) => {
    const { job } = begin(
      context,
      (folder) => {
        mkdirSync(join(folder, 'all'));
        for (let index = 0; index < 10_050; index++) writeFileSync(join(folder, 'all', `${index}`), '');
      },
      build('all'),
    );
    assert.equal(await server.completed(job), 'Passed');
    assert.deepEqual(
      artifactServer.publications.filter((one) => one.job === job).map(({ files }) => files.length),
      [10_000, 50],
    );
  });

  test('small files that did not come are sent again, and no others', async (context) => {
    let times = 0;
    artifactServer.override = ({ job, what }) => {
      if (what === 'publication' && ++times === 1) {
        writeFileSync(artifactServer.stagedAt(job, 'many/d0/1.txt'), 'broken');
        truncateSync(artifactServer.stagedAt(job, 'many/large'), 2 * MB);
      }
      return undefined;
    };
    const { job } = begin(
      context,
      (folder) => {
        setUp(folder);
        writeFileSync(join(folder, 'many', 'large'), content(3 * MB));
      },
      build('many'),
    );
    assert.equal(await server.completed(job), 'Passed');
    assert.equal(artifactServer.content(job, 'many/d0/1.txt'), 'file 1 ');
    assert.deepEqual(
      requestsOf(job, 'archive')
        .map(({ headers }) => headers['x-svc-artifact-size'])
        .at(-1),
      '7',
    );
    assert.deepEqual(
      ['archive', 'file', 'publication'].map((what) => requestsOf(job, what).length),
      [2, 2, 2],
    );
  });

  test('small files that never come fail the job after three attempts', async (context) => {
    artifactServer.override = ({ what }) => (what === 'publication' ? { status: 200, body: { missing: ['a.txt'] } } : undefined);
    const { job } = begin(context, (folder) => writeFileSync(join(folder, 'a.txt'), 'a'), build('a.txt'));
    assert.equal(await server.completed(job), 'Failed');
    assert.equal(of(job, 'ae')[0], 'Failed to upload a.txt: the server did not get what was sent.');
    assert.equal(requestsOf(job, 'publication').length, 3);
  });

  test('are refused without a second try when the disk is full', async (context) => {
    artifactServer.override = ({ what }) => (what === 'archive' ? { status: 413, body: {} } : undefined);
    const { job } = begin(context, setUp, build('many'));
    assert.equal(await server.completed(job), 'Failed');
    assert.match(of(job, 'ae')[0]!, /^Artifact upload for file many\S+ and 999 more \(Size: \d+\) was denied by the server\./);
    assert.equal(requestsOf(job, 'archive').length, 1);
  });

  test('a small file that grows on the way comes alone', async (context) => {
    let path = '';
    artifactServer.override = ({ what }) => {
      if (what === 'archive') writeFileSync(path, content(2 * MB));
      return undefined;
    };
    const { job } = begin(
      context,
      (folder) => {
        mkdirSync(join(folder, 'two'));
        // The first is read before the server is heard of.
        writeFileSync(join(folder, 'two', 'a'), content(MB));
        for (let index = 0; index < 40; index++) writeFileSync(join(folder, 'two', `m${index}`), content(MB));
        path = join(folder, 'two', 'z');
        writeFileSync(path, 'small');
      },
      build('two/a'),
      build('two/m*'),
      build('two'),
    );
    assert.equal(await server.completed(job), 'Passed');
    assert.ok(readFileSync(artifactServer.publishedAt(job, 'two/z')).equals(content(2 * MB)));
  });
});

describe('a job whose artifacts are being uploaded', () => {
  const setUp = (folder: string) => writeFileSync(join(folder, 'large.bin'), content(8 * MB));
  /** The server takes it and says nothing. */
  function hang() {
    let isBegun = false;
    artifactServer.override = ({ what }) => {
      if (what !== 'file') return undefined;
      isBegun = true;
      return { status: 503, body: {} };
    };
    return () => until('the upload', () => isBegun);
  }

  test('a job can be cancelled during an upload', async (context) => {
    const begun = hang();
    const { job } = begin(context, setUp, build('large.bin'));
    await begun();
    server.order({ order: 'cancel', job });
    assert.equal(await server.completed(job), 'Cancelled');
    assert.deepEqual([of(job, 'ae'), artifactServer.tree(job)], [[], []]);
  });

  test('a job can be dropped', async (context) => {
    const begun = hang();
    const { job, agent } = begin(context, setUp, build('large.bin'));
    await begun();
    server.order({ order: 'drop', job });
    await until('the end', () => agent.output.some((line) => line.startsWith('Done with')));
    assert.ok(!server.statesOf(job).some((state) => state.startsWith('Completed')));
  });

  test('an agent can be ended', async (context) => {
    const begun = hang();
    const workDir = temporaryFolder(context);
    mkdirSync(join(workDir, 'pipelines', 'shop'), { recursive: true });
    setUp(join(workDir, 'pipelines', 'shop'));
    const agent = spawnAgent(context, server, workDir);
    server.order({ order: 'work', work: workOf([], { artifacts: [build('large.bin')], fetch_materials: false }) });
    await begun();
    agent.child.kill('SIGTERM');
    assert.deepEqual(await agent.ended, { code: 0, signal: null });
  });
});

test('100 MB take no memory', async (context) => {
  const SIZE = 100 * MB;
  const workDir = temporaryFolder(context);
  const folder = join(workDir, 'pipelines', 'shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'large.bin'), content(SIZE));
  const agent = spawnAgent(context, server, workDir);
  const grown = await watchMemory(context, agent);
  const work = workOf([], { artifacts: [build('large.bin')], fetch_materials: false });
  const began = performance.now();
  server.order({ order: 'work', work });
  assert.equal(await server.completed(work.job), 'Passed');
  context.diagnostic(`${Math.round(performance.now() - began)} ms, ${Math.round(grown() / MB)} MB more`);
  assert.ok(grown() <= 64 * MB, `${Math.round(grown() / MB)} MB more`);
  const published = createHash('sha256')
    .update(readFileSync(artifactServer.publishedAt(work.job, 'large.bin')))
    .digest('hex');
  assert.equal(artifactServer.publications.at(-1)!.files[0]!.sha256, published);
});

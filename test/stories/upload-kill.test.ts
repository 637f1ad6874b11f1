// An agent that is killed in the middle of an upload: no client sees half of it, and the next run of the job publishes all files.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { usageOf } from '../artifacts/publication-lab.ts';
import { BuildLab, git, job, stage } from '../builds/engine/lab.ts';
import { spawnAgent, temporaryFolder } from '../support/builds/agent-process.ts';
import { accepted } from '../support/requests/callers.ts';
import { until } from '../support/until.ts';

const MEGABYTE = 1024 * 1024;
const LARGE = 32 * MEGABYTE;
const SCRIPT = `mkdir out && truncate -s ${LARGE} out/large && echo small > out/small`;
const LIST = '/files/web/1/build/1/compile.json';

test('an upload of a killed agent is never seen, and the next run of the job publishes all files', async (context) => {
  const lab = await BuildLab.forTest(context);
  const tasks = [{ type: 'exec', attributes: { command: 'sh', arguments: ['-c', SCRIPT], run_if: [] } }];
  const artifacts = [{ type: 'build', source: 'out', destination: '' }];
  await lab.pipeline('web', {
    materials: [git(await lab.origin('web'))],
    stages: [stage('build', { clean_working_directory: true, jobs: [job('compile', { tasks, artifacts })] })],
  });
  await lab.poll('web');
  const { auto_register_key: key } = accepted(await lab.server.get('/api/admin/agent_registration')).json;
  const workDir = join(temporaryFolder(context), 'agent');
  const line = await startLine(context, Number(new URL(lab.server.url).port), LARGE / 4);
  const killed = spawnAgent(context, { url: `http://127.0.0.1:${line}` }, workDir, { key });
  const uploads = join(lab.server.dataDir, 'artifacts/uploads');
  await until('the middle of the upload', () => bytesBelow(uploads) > MEGABYTE);
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.ok(bytesBelow(uploads) < LARGE);
  // Its console may have come by then, or not.
  assert.deepEqual(
    (await names(lab)).filter((name) => name !== 'cruise-output'),
    [],
  );

  spawnAgent(context, { url: lab.server.url }, workDir);
  assert.equal(await lab.result('web', 1, 'build'), 'Passed');
  assert.deepEqual(await names(lab), ['out', 'cruise-output']);
  const { size } = statSync(join(lab.server.dataDir, 'artifacts/pipelines/web/1/build/1/compile/out/large'));
  assert.equal(size, LARGE);
  assert.deepEqual(await usageOf(lab.parts.database, 'web'), { files: 2, bytes: LARGE + 'small\n'.length });
  await until('the end of what was left', () => bytesBelow(uploads) === 0);
});

async function names(lab: BuildLab): Promise<readonly string[]> {
  return accepted(await lab.server.get(LIST)).json.map(({ name }: { name: string }) => name);
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A line to the server on which a connection stands still once so many bytes were sent. Gives its port. */
async function startLine(context: TestContext, target: number, max: number): Promise<number> {
  const line = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    let sent = 0;
    client.on('data', (data) => {
      sent += data.length;
      server.write(data);
      if (sent > max) client.pause();
    });
    server.pipe(client);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const side of [client, server]) side.on('error', end).on('close', end);
  });
  context.after(() => line.close());
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  return (line.address() as AddressInfo).port;
}

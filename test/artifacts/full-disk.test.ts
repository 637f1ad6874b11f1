// A disk that is full in the middle: the agent is informed, and nothing half is seen.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { accepted } from '../support/requests/callers.ts';
import { AgentLab, tarOf } from './agent-lab.ts';
import { factsOf } from './publication-lab.ts';

const MEGABYTE = 1024 * 1024;

test('an upload that the disk has no room for is answered with 507, and goes on when there is room', async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'slipway-full-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'slipway-test', disk], { stdio: 'pipe' });
  } catch (failure) {
    rmSync(disk, { recursive: true });
    return t.skip(`a file system could not be mounted: ${String(failure).slice(0, 100)}`);
  }
  const lab = await AgentLab.start({ 'disk-full-mb': '0', 'disk-warning-mb': '0' });
  t.after(async () => {
    await lab.stop();
    execFileSync('umount', ['--lazy', disk], { stdio: 'pipe' });
    rmSync(disk, { recursive: true, force: true });
  });
  accepted(await lab.builds.server.put('/api/admin/config/server/artifact_config', { artifacts_dir: disk }, '*'));
  await lab.builds.restart();
  const work = await lab.work();
  const content = 'x'.repeat(3 * MEGABYTE);
  const large = await lab.send(work, 'large', `${content}${content}`);
  assert.deepEqual([large.status, large.json.message], [507, 'There is no space left on the disk of the artifacts.']);
  const many = await lab.sendAll(work, tarOf({ a: 'x'.repeat(MEGABYTE), b: 'y' }));
  assert.equal(many.status, 507);
  assert.deepEqual((await lab.publish(work, [factsOf('large', `${content}${content}`), factsOf('b', 'y')])).json, {
    missing: ['large', 'b'],
  });
  assert.deepEqual(await lab.rows(work), []);
  assert.ok(!existsSync(join(disk, 'pipelines')));
  assert.equal((await lab.send(work, 'large', content)).status, 200);
  assert.deepEqual((await lab.publish(work, [factsOf('large', content)])).json, { missing: [] });
});

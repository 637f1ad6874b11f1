// A purge in a process that is killed between its commit and its end: deleted rows stay deleted, the files go at the next start.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { RetentionLab } from './retention-lab.ts';

const PROGRAM = join(import.meta.dirname, 'purge-process.ts');

for (const moment of ['before', 'after']) {
  test(`killed ${moment} the files are gone`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-purge-kill-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const [path, root] = [join(folder, 'test.db'), join(folder, 'artifacts')];
    const first = openSqlite(path);
    await migrate(first);
    const lab = await RetentionLab.in(first, root);
    for (let number = 1; number <= 2; number++) await lab.stageRun({ jobs: [['a.bin', 'cruise-output/kept']] });
    await lab.events.settle();
    await first.close();

    const { signal, stderr } = spawnSync(process.execPath, [PROGRAM, path, root, moment], { encoding: 'utf8' });
    assert.equal(signal, 'SIGKILL', stderr);

    const second = openSqlite(path);
    context.after(() => second.close());
    const after = await RetentionLab.in(second, root);
    assert.deepEqual(await after.purgedIds(), [1]);
    assert.deepEqual(await after.pathsOf(1), ['cruise-output/kept']);
    assert.equal((await after.rows('purges')).length, 1);
    assert.equal(after.hasFile(1, 'job-0/a.bin'), moment === 'before');

    const retention = after.retention();
    retention.start();
    await retention.work(new AbortController().signal);
    assert.equal(after.hasFile(1, 'job-0/a.bin'), false);
    assert.equal(after.hasFile(1, 'job-0/cruise-output/kept'), true);
    assert.equal(after.hasFile(2, 'job-0/a.bin'), true);
    assert.deepEqual(await after.rows('purges'), []);
    assert.equal((await after.purgeEvents()).length, 1);
  });
}

// The commands `backup`, `maintenance on`, `maintenance off` and `preflight`, against a server that runs.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { yaml } from '../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway } from '../support/server/command-line.ts';
import { ADMIN_PASSWORD, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let folder: string;
before(async () => {
  server = await TestServer.start();
  folder = mkdtempSync(join(tmpdir(), 'slipway-operation-test-'));
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const login = () => ({ SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD });
const run = (text: string, isTTY = false) => slipway(text.split(' '), { environment: login(), directory: folder, isTTY });

describe('backup', () => {
  test('waits until it is complete, and says where it is', async () => {
    const { status, out, err } = await run('backup');
    assert.equal(status, 0, err);
    const [, path] = /^Backup \d+ is complete: (\S+) \(\d+\.\d MB, verified\)\n$/.exec(out)!;
    assert.ok(existsSync(join(path!, 'db.zip')));
    assert.match(err, /^(?:Backup \d+: .+\n)+$/);
  });

  test('shows progress on a terminal in one line that goes', async () => {
    const { out, err } = await run('backup', true);
    assert.match(out, /is complete/);
    assert.ok(!err.includes('\n'));
    assert.ok(err.endsWith('\r\u001b[2K'));
  });

  test('prints JSON, and need not wait', async () => {
    const { status, out } = await run('backup --json');
    assert.equal(status, 0);
    assert.deepEqual([JSON.parse(out).status, JSON.parse(out).verified], ['COMPLETED', true]);
    const begun = await run('backup --no-wait');
    assert.equal(begun.status, 0);
    assert.match(begun.out, /^Backup \d+ (?:has begun|is complete): /);
    await until('the end of the backup', async () => (await server.get('/api/backups/running')).status === 404);
  });

  test('ends with 1 if the backup fails, and says why', async () => {
    const script = join(folder, 'fails.sh');
    writeFileSync(script, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
    const config = { schedule: null, post_backup_script: script, email_on_success: false, email_on_failure: false };
    accepted(await server.post('/api/config/backup', config));
    const { status, out, err } = await run('backup');
    assert.deepEqual([status, out], [1, '']);
    assert.match(err, /^Backup \d+ failed\. Post backup script exited with an error.*\n.*7/m);
    accepted(await server.delete('/api/config/backup'));
  });
});

describe('maintenance', () => {
  test('waits until nothing runs after on, and ends the mode with off', async () => {
    const info = async () => accepted(await server.get('/api/admin/maintenance_mode/info')).json;
    const on = await slipway(['maintenance', 'on', '--reason', 'new disk', '--minutes', '5'], { environment: login() });
    assert.deepEqual([on.status, on.out], [0, 'Maintenance mode is on.\nNothing runs any more.\n'], on.err);
    assert.equal((await info()).attributes.reason, 'new disk');
    assert.notEqual((await info()).attributes.until, null);
    const again = await run('maintenance on');
    assert.equal(again.status, 1);
    assert.match(again.err, /already in maintenance mode\. \(409\)/);
    assert.deepEqual([(await run('maintenance off')).out, (await info()).is_maintenance_mode], ['Maintenance mode is off.\n', false]);
    assert.equal((await run('maintenance off')).status, 1);
  });

  test('ends with 2 for wrong arguments', async () => {
    for (const [text, message] of [
      ['maintenance', /^Name the whole command: maintenance on, maintenance off\./],
      ['maintenance offf', /Did you mean maintenance off\?/],
      ['maintenance on --minutes soon', /--minutes must be a number above 0, not 'soon'/],
    ] as const) {
      const { status, err } = await run(text);
      assert.equal(status, 2);
      assert.match(err, message);
    }
  });
});

describe('preflight', () => {
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, 'ci'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  test('accepts valid files, and shows the changes that they would make', async () => {
    write('ci/a.gocd.yaml', yaml('shop', { a: undefined }));
    write('ci/b.gocd.yaml', yaml('shop', { b: 'a' }));
    const both = 'preflight ci/a.gocd.yaml ci/b.gocd.yaml';
    assert.deepEqual([(await run(both)).status, (await run(both)).out], [0, 'Valid.\n']);
    assert.equal((await run(`${both} --plan`)).out, 'pipelines created: a, b\npipeline groups created: shop\nValid.\n');
    assert.equal((await run('preflight ci/b.gocd.yaml')).status, 1, 'without the file of its upstream');
  });

  test('reports every mistake with file, line and column, and warnings', async () => {
    write('ci/c.gocd.yaml', yaml('shop', { c: undefined }).replace('stages:', 'stagse:'));
    for (const name of ['ci/c.gocd.yaml', join(folder, 'ci/c.gocd.yaml'), '../c.gocd.yaml']) {
      const directory = name.startsWith('..') ? join(folder, 'ci', 'deeper') : folder;
      const path = name.startsWith('..') ? '../c.gocd.yaml' : name;
      const { status, out, err } = await slipway(['preflight', path], { environment: login(), directory });
      assert.deepEqual([status, out], [1, '']);
      const lines = err.split('\n');
      assert.equal(lines[0], `${path}:4:5: error: Failed to parse pipeline c; expected a list of pipeline stages or a template reference`);
      assert.ok(
        lines.some((line) => line.startsWith(`${path}:8:5: warning: `)),
        err,
      );
      assert.equal(lines.at(-2), 'Not valid: 1 error, 1 warning.');
    }
    const { status, out } = await run('preflight ci/c.gocd.yaml --json');
    assert.equal(status, 1);
    assert.equal(JSON.parse(out).problems[0].line, 4);
    assert.ok((await run('preflight ci/c.gocd.yaml', true)).err.includes('\u001b[31merror'));
  });

  test('checks a branch of a config repo', async () => {
    const origin = await GitOrigin.make(join(folder, 'origin'));
    await origin.commit('first', { 'a.gocd.yaml': yaml('shop', { a: undefined }) });
    const material = { type: 'git', attributes: { url: origin.path, branch: 'main', auto_update: false } };
    const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
    accepted(await server.post('/api/admin/config_repos', { id: 'shop', plugin_id: 'yaml.config.plugin', material, rules }));
    const { status, out, err } = await run('preflight --repo shop --ref main');
    assert.deepEqual([status, out], [0, 'Valid.\n'], err);
  });

  test('refuses wrong arguments, and files that cannot be read', async () => {
    for (const [text, expected, message] of [
      ['preflight', 2, /^FILE is missing/],
      ['preflight --ref main', 2, /--ref needs --repo/],
      ['preflight a.yaml --repo x --ref main', 2, /not both/],
      ['preflight a.yaml b.json', 2, /give --plugin/],
      ['preflight one/a.yaml ../a.yaml', 1, /cannot be read/],
      ['preflight ../a.yaml ../../a.yaml', 2, /same name: call this at the root/],
      ['preflight ci --plugin yaml.config.plugin', 1, /ci is a folder/],
      ['preflight ci/a.gocd.yaml --plugin none', 1, /'none'.*\(404\)/],
    ] as const) {
      const { status, err } = await run(text);
      assert.equal(status, expected, `${text}: ${err}`);
      assert.match(err, message);
    }
  });
});

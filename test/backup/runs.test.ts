// Runs and their consoles come back from a backup.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { restore } from '../../src/backup/restore/restore.ts';
import { writeConsoles } from '../../src/backup/write/consoles.ts';
import { BuildLab, git, job, stage } from '../builds/engine/lab.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { makeBackup } from '../support/server/backup.ts';
import { withFiles } from './forge.ts';

const HISTORY = '/api/pipelines/kept/history';
const DONE = 'kept/1/build/1/done';
const ACTIVE = 'kept/1/build/1/under-way';
const consoleAt = (dataDir: string, locator: string) => join(dataDir, 'artifacts', 'pipelines', locator, 'cruise-output', 'console.log');

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-runs-backup-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function labWithRun(context: TestContext) {
  const lab = await BuildLab.forTest(context);
  const agent = await lab.agent();
  const origin = await lab.origin('kept');
  await lab.pipeline('kept', { materials: [git(origin)], stages: [stage('build', { jobs: [job('done'), job('under-way')] })] });
  await lab.poll('kept');
  await lab.run('kept', 1);
  const first = await agent.take();
  await agent.begin(first);
  await agent.print(first, '##|10:00:00.000 all of it\n##|10:00:01.000 the end\n');
  await agent.complete(first);
  const second = await agent.take();
  await agent.begin(second);
  await agent.print(second, '##|10:00:00.000 half of it\n');
  return lab;
}

describe('runs in a backup', ABOUT_EMBEDDED, () => {
  test('the history and the consoles are there after a restore, except the console of a job that runs again', async (context) => {
    const lab = await labWithRun(context);
    const history = accepted(await lab.server.get(HISTORY)).json.pipelines;
    const { dataDir } = lab.server;
    const printed = readFileSync(consoleAt(dataDir, DONE), 'utf8');
    assert.match(printed, /the end/);
    assert.ok(existsSync(consoleAt(dataDir, ACTIVE)));
    const backup = await makeBackup(lab.server);
    assert.equal(backup.verified, true, 'with consoles');
    const saved = join(newFolder(context), 'backup');
    await lab.server.restart(async () => {
      cpSync(backup.path, saved, { recursive: true });
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
      await restore({ folder: saved, dataDir, isReplacing: false });
    });
    const [run] = accepted(await lab.server.get(HISTORY)).json.pipelines;
    assert.deepEqual([run.counter, run.label, run.build_cause], [history[0].counter, history[0].label, history[0].build_cause]);
    assert.deepEqual(
      run.stages[0].jobs.map(({ name, result }: { name: string; result: string }) => [name, result]),
      [
        ['done', 'Passed'],
        ['under-way', 'Unknown'],
      ],
    );
    assert.equal(await lab.console(DONE), printed);
    assert.equal(existsSync(consoleAt(dataDir, ACTIVE)), false);
    assert.equal(existsSync(join(dataDir, '.consoles')), false);
  });

  test('existing consoles stay during a restore, and no link leads elsewhere', async (context) => {
    const lab = await labWithRun(context);
    const { path } = await makeBackup(lab.server);
    const restoredDir = newFolder(context);
    write(consoleAt(restoredDir, DONE), 'newer');
    await restore({ folder: path, dataDir: restoredDir, isReplacing: true });
    assert.equal(readFileSync(consoleAt(restoredDir, DONE), 'utf8'), 'newer');
    const [linked, elsewhere] = [newFolder(context), newFolder(context)];
    mkdirSync(join(linked, 'artifacts'));
    symlinkSync(elsewhere, join(linked, 'artifacts', 'pipelines'));
    await restore({ folder: path, dataDir: linked, isReplacing: true });
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  test('a backup with other files among the consoles is refused', async (context) => {
    const lab = await labWithRun(context);
    const { path } = await makeBackup(lab.server);
    for (const name of ['pipelines/a/1/b/1/c/cruise-output/../console.log', 'pipelines/a/1/b/1/c/run.sh', 'serverBackups/x', '../x']) {
      const forged = await withFiles(path, join(newFolder(context), 'forged'), 'consoles.zip', { [name]: { content: 'x', mode: 0o600 } });
      await assert.rejects(
        restore({ folder: forged, dataDir: join(newFolder(context), 'data'), isReplacing: false }),
        /does not belong there/,
      );
    }
  });
});

describe('consoles', () => {
  const limits = { files: 10, bytes: 1000 };

  test('a console that grows meanwhile is taken as it was, and one that disappears is left out', async (context) => {
    const folder = newFolder(context);
    const log = (name: string) => join(folder, 'pipelines', 'p', '1', 's', '1', name, 'cruise-output', 'console.log');
    for (const name of ['grows', 'stays', 'goes']) write(log(name), 'begun\n');
    let isFirst = true;
    const seal = await writeConsoles(
      folder,
      join(folder, 'consoles.zip'),
      ({ total }) => {
        if (total === undefined || !isFirst) return;
        isFirst = false;
        appendFileSync(log('grows'), 'more\n');
        rmSync(log('goes'));
      },
      limits,
    );
    assert.deepEqual(
      Object.entries(seal!.entries)
        .map(([name, { bytes }]) => [name.split('/')[5], bytes])
        .toSorted(),
      [
        ['grows', 6],
        ['stays', 6],
      ],
    );
  });

  test('the newest consoles are taken, up to a limit, and no other files', async (context) => {
    const folder = newFolder(context);
    assert.equal(await writeConsoles(folder, join(folder, 'none.zip'), () => {}, limits), undefined);
    for (let counter = 1; counter <= 25; counter++) {
      const path = join(folder, 'pipelines', 'p', String(counter), 's', '1', 'j', 'cruise-output', 'console.log');
      write(path, 'x');
      utimesSync(path, counter, counter);
    }
    write(join(folder, 'pipelines', 'p', '30', 's', '1', 'j', 'dist', 'console.log'), 'an artifact');
    write(join(folder, 'pipelines', 'p', '30', 's', '1', 'j', 'cruise-output', 'md5.checksum'), 'x');
    const counters = async (some: typeof limits) => {
      const seal = await writeConsoles(folder, join(folder, 'some.zip'), () => {}, some);
      rmSync(join(folder, 'some.zip'));
      return Object.keys(seal!.entries).map((name) => Number(name.split('/')[2]));
    };
    assert.deepEqual(await counters({ files: 3, bytes: 1000 }), [25, 24, 23]);
    assert.deepEqual(await counters({ files: 10, bytes: 2 }), [25, 24]);
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

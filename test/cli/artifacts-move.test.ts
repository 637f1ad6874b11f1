// The command `artifacts move`: the files of a real server go to a real store and back, also when it is killed in the middle.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, test } from 'node:test';
import { zipStream } from '../../src/kit/zip/zip-stream.ts';
import { ArtifactLab, JOB, LOCATOR } from '../artifacts/artifact-lab.ts';
import { copyDataDirectory, databaseVariablesOf } from '../support/database/database.ts';
import { changeRows } from '../support/database/sql.ts';
import { slipway } from '../support/server/command-line.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { TestBucket } from '../support/services/s3.ts';

const LARGE = Buffer.alloc(9 * 1024 * 1024, 'slipway ');
const FEW = 20;
/** More than it moves at once. */
const MANY = 210;

let store: TestBucket;
let lab: ArtifactLab;
let folder: string;
let count = 0;

before(async () => {
  store = await TestBucket.start();
  lab = await ArtifactLab.start();
  folder = mkdtempSync(join(tmpdir(), 'slipway-artifacts-move-'));
  await lab.publishFiles({ 'größe/a b#.txt': 'one', empty: '', 'large.bin': new Uint8Array(LARGE) });
  await lab.put('cruise-output/console.log', 'hello\n');
  await bringZipped(0, FEW);
  await lab.runs.server.restart(() => copyDataDirectory(lab.dataDir, join(folder, String(FEW))));
  await bringZipped(FEW, MANY);
  await lab.runs.server.restart(() => copyDataDirectory(lab.dataDir, join(folder, String(MANY))));
});
after(async () => {
  await lab.stop();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  store.mayPass = () => true;
});

async function bringZipped(first: number, end: number): Promise<void> {
  const zip = await buffer(Readable.from(zipStream(entries(first, end), new Date()), { objectMode: false }));
  const sent = await lab.post('zipped', { zipfile: new Uint8Array(zip) });
  assert.equal(sent.status, 201, sent.text);
}

async function* entries(first: number, end: number) {
  // The last by name.
  yield { name: `~hollow-${first}/`, content: '' };
  for (let index = first; index < end; index++) yield { name: `many/${index}.txt`, content: `file ${index}` };
}

interface StoppedServer {
  readonly dataDir: string;
  readonly prefix: string;
  /** How many files it has. */
  readonly files: number;
  /** The environment of commands that work on the data directory. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The data directory as it was when the server was stopped, and a part of the bucket that is empty. */
async function stoppedServer(zipped = FEW): Promise<StoppedServer> {
  const prefix = `move-${++count}`;
  const dataDir = join(folder, prefix);
  await copyDataDirectory(join(folder, String(zipped)), dataDir);
  return { dataDir, prefix, files: zipped + 3, environment: { ...account(), ...(await databaseVariablesOf(dataDir)) } };
}

function account(): Record<string, string> {
  const { 'artifacts-bucket': _, 'artifacts-endpoint': endpoint, ...others } = store.artifactOptions('x');
  return { SLIPWAY_ARTIFACTS_ENDPOINT: endpoint!, ...others };
}

const bucketOf = ({ prefix }: StoppedServer) => `s3://backups/${prefix}`;
const moveArguments = ({ dataDir }: StoppedServer, ...flags: string[]) => ['artifacts', 'move', '--data-dir', dataDir, ...flags];
const toBucket = (stopped: StoppedServer, ...flags: string[]) =>
  slipway(moveArguments(stopped, '--to', bucketOf(stopped), ...flags), { environment: stopped.environment });
const toFolder = (stopped: StoppedServer, ...flags: string[]) =>
  slipway(moveArguments(stopped, '--from', bucketOf(stopped), '--to', 'folder', ...flags), { environment: stopped.environment });

const jobFolder = ({ dataDir }: StoppedServer) => join(dataDir, 'artifacts/pipelines', LOCATOR);
const filesIn = (stopped: StoppedServer) =>
  globSync('**/*', { cwd: jobFolder(stopped), withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.endsWith('cruise-output'),
  );
const keysOf = ({ prefix }: StoppedServer) => store.keys().filter((key) => key.startsWith(`${prefix}/`));
const stateOf = ({ dataDir }: StoppedServer) => join(dataDir, 'artifacts-move.json');

test('all artifacts go to the bucket and come back, and a server finds them in either', async () => {
  const stopped = await stoppedServer();
  assert.equal(filesIn(stopped).length, stopped.files);
  const moved = await toBucket(stopped);
  assert.deepEqual(
    [moved.status, moved.out],
    [0, `All artifacts are in ${bucketOf(stopped)}.\nStart the server with SLIPWAY_ARTIFACTS_BUCKET=${bucketOf(stopped)}.\n`],
    moved.err,
  );
  assert.match(moved.err, /Copying artifacts\nDeleting them where they were\n/);
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length, existsSync(stateOf(stopped))], [0, stopped.files, false]);
  assert.equal(readFileSync(join(jobFolder(stopped), 'cruise-output/console.log'), 'utf8').includes('hello'), true);
  assert.deepEqual(readFileSync(store.fileOf(`${stopped.prefix}/pipelines/${LOCATOR}/large.bin`)).equals(LARGE), true);

  const back = await toFolder(stopped, '--keep');
  assert.deepEqual([back.status, filesIn(stopped).length, keysOf(stopped).length], [0, stopped.files, stopped.files], back.err);
  assert.match(back.out, /and still where they were\.\nStart the server without SLIPWAY_ARTIFACTS_BUCKET\./);
  assert.equal(readFileSync(join(jobFolder(stopped), 'größe/a b#.txt'), 'utf8'), 'one');
  assert.equal(readFileSync(join(jobFolder(stopped), 'large.bin')).equals(LARGE), true);
  assert.equal((await toFolder(stopped)).status, 0);
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length], [stopped.files, 0]);
});

/** Runs the command in a process of its own, which is killed at a request to the store. */
async function killed(
  stopped: StoppedServer,
  flags: readonly string[],
  isMoment: (asked: string) => boolean,
): Promise<{ phase: string; files: number }> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...moveArguments(stopped, ...flags)], {
    env: { PATH: process.env.PATH, ...stopped.environment },
    stdio: 'ignore',
  });
  store.mayPass = (asked) => {
    if (isMoment(asked)) child.kill('SIGKILL');
    return !child.killed;
  };
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
  store.mayPass = () => true;
  return JSON.parse(readFileSync(stateOf(stopped), 'utf8'));
}

test('a move that is killed while it copies goes on at the next start', async () => {
  const stopped = await stoppedServer(MANY);
  // The last by name, so on the second page.
  const { phase, files } = await killed(stopped, ['--to', bucketOf(stopped)], (asked) => /^PUT .*\/zipped\/many\/99\.txt$/.test(asked));
  assert.deepEqual([phase, files, filesIn(stopped).length], ['copy', 200, stopped.files]);
  store.asked.length = 0;
  const { status, err } = await toBucket(stopped);
  assert.equal(status, 0, err);
  const isDoneAgain = store.asked.some((asked) => asked.startsWith('PUT') && asked.endsWith('/zipped/many/0.txt'));
  assert.deepEqual([isDoneAgain, filesIn(stopped).length, keysOf(stopped).length], [false, 0, stopped.files]);
  assert.equal(existsSync(stateOf(stopped)), false);
});

test('artifacts that a server has published since the kill are copied, too', async () => {
  const stopped = await stoppedServer(MANY);
  await killed(stopped, ['--to', bucketOf(stopped)], (asked) => /^PUT .*\/zipped\/many\/99\.txt$/.test(asked));
  writeFileSync(join(jobFolder(stopped), 'added.txt'), 'added');
  const added = createHash('sha256').update('added').digest('hex');
  const row = "select job_id, 'added.txt', 5, ?, '', created_at + 1000 from artifacts where path = 'empty'";
  await changeRows(stopped.dataDir, `insert into artifacts (job_id, path, bytes, sha256, md5, created_at) ${row}`, added);
  const { status, err } = await toBucket(stopped);
  assert.equal(status, 0, err);
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length], [0, stopped.files + 1]);
});

test('a move that is killed while it copies from a wrong place begins anew from the right one', async () => {
  const stopped = await stoppedServer(MANY);
  assert.equal((await toBucket(stopped)).status, 0);
  const isOfSecondPage = (asked: string) => /^GET .*\/zipped\/many\/99\.txt$/.test(asked);
  const { files } = await killed(stopped, ['--from', `${bucketOf(stopped)}-wrong`, '--to', 'folder'], isOfSecondPage);
  assert.equal(files, 200);
  const { status, err } = await toFolder(stopped);
  assert.equal(status, 0, err);
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length], [stopped.files, 0]);
});

test('a move that is killed while it deletes goes on at the next start', async () => {
  const stopped = await stoppedServer(MANY);
  assert.equal((await toBucket(stopped)).status, 0);
  let deletions = 0;
  const isRemoving = () => existsSync(stateOf(stopped)) && readFileSync(stateOf(stopped), 'utf8').includes('"remove"');
  const isSecond = (asked: string) => asked.startsWith('POST /backups/?delete=') && isRemoving() && ++deletions === 2;
  const { phase, files } = await killed(stopped, ['--from', bucketOf(stopped), '--to', 'folder'], isSecond);
  assert.deepEqual([phase, files, keysOf(stopped).length], ['remove', 200, stopped.files - 200]);
  const { status, err } = await toFolder(stopped);
  assert.equal(status, 0, err);
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length, existsSync(stateOf(stopped))], [stopped.files, 0, false]);
});

test('a file that was changed after its publication stops the deletion, and a missing one does not', async () => {
  const stopped = await stoppedServer();
  writeFileSync(join(jobFolder(stopped), 'zipped/many/7.txt'), 'File 7');
  rmSync(join(jobFolder(stopped), 'zipped/many/8.txt'));
  const { status, out } = await toBucket(stopped);
  assert.equal(status, 1);
  assert.match(out, new RegExp(`^1 file is not what was published:\n  ${LOCATOR}/zipped/many/7.txt\nAll others are in`));
  assert.match(out, new RegExp(`1 file was gone before:\n  ${LOCATOR}/zipped/many/8.txt\n`));
  assert.deepEqual([filesIn(stopped).length, keysOf(stopped).length], [stopped.files - 1, stopped.files - 2]);
  rmSync(join(jobFolder(stopped), 'zipped/many/7.txt'));
  const again = await toBucket(stopped);
  assert.equal(again.status, 0);
  assert.match(again.out, /2 files were gone before/);
  assert.equal(filesIn(stopped).length, 0);
});

test('a place without any of the files is taken for a mistake', async () => {
  const stopped = await stoppedServer();
  assert.equal((await toBucket(stopped)).status, 0);
  const wrong = `${bucketOf(stopped)}-wrong`;
  const { status, out, err } = await slipway(moveArguments(stopped, '--from', wrong, '--to', 'folder'), stopped);
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, new RegExp(`None of the published files is in ${wrong}, nor in .*artifacts\\. .* Check --from, and --endpoint\\.`));
  assert.equal((await toFolder(stopped)).status, 0);
  assert.equal(filesIn(stopped).length, stopped.files);
});

test('a file among the artifacts that was never published stays', async () => {
  const stopped = await stoppedServer();
  writeFileSync(join(jobFolder(stopped), 'zipped/mine.txt'), 'mine');
  assert.equal((await toBucket(stopped)).status, 0);
  assert.deepEqual(
    filesIn(stopped).map(({ name }) => name),
    ['mine.txt'],
  );
});

test('a bucket that is away is reported, and nothing is lost', async () => {
  const stopped = await stoppedServer();
  store.mayPass = () => false;
  const { status, err } = await toBucket(stopped);
  assert.equal(status, 1);
  assert.match(err, /cannot be used\. .*cannot be reached.*\nNothing is lost\. Run the command again/s);
  assert.doesNotMatch(err, /S3RVER/);
  assert.equal(filesIn(stopped).length, stopped.files);
});

test('a move is refused while a server runs, without a place, an account or a database', async () => {
  const running = await slipway(['artifacts', 'move', '--data-dir', lab.dataDir, '--to', 's3://backups/x'], {
    environment: { ...account(), ...(await databaseVariablesOf(lab.dataDir)) },
  });
  assert.equal(running.status, 1);
  assert.match(running.err, /is in use by (?:another Slipway|the) server/);
  assert.equal((await lab.ask(`${JOB}/empty`)).status, 200);
  const stopped = await stoppedServer();
  const wrong = async (flags: string[], variables = stopped.environment) => {
    const { status, err } = await slipway(moveArguments(stopped, ...flags), { environment: variables });
    return `${status} ${err}`;
  };
  assert.match(await wrong([]), /^2 Say where to/);
  assert.match(await wrong(['--to', 'folder']), /^2 Name the bucket that they are in with --from/);
  assert.match(await wrong(['--to', '/mnt/x']), /^2 --to must look like s3:/);
  assert.match(await wrong(['--to', 's3://backups'], {}), /^2 --to needs an account/);
  const none = await slipway(['artifacts', 'move', '--data-dir', join(folder, 'none'), '--to', 's3://backups'], {
    environment: account(),
  });
  assert.deepEqual([none.status, existsSync(join(folder, 'none'))], [1, false]);
});

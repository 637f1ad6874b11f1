// External artifacts in a bucket, with a real S3 server: published, fetched, in parts, after cuts, and without a secret anywhere.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { publishS3 } from '../../../src/agent/artifacts/external/s3.ts';
import { S3Client } from '../../../src/kit/s3/client.ts';
import { BucketFailure } from '../../../src/kit/s3/failure.ts';
import { ExternalLab, settings } from '../../support/builds/external-artifacts.ts';
import { TestBucket } from '../../support/services/s3.ts';

const PLUGIN = 'cd.go.artifact.s3';
const FILE = `pluggable-artifact-metadata/${PLUGIN}.json`;
const SECRET = 'S3RVER';
let bucket: TestBucket;

before(async () => {
  bucket = await TestBucket.start();
});
after(() => bucket.stop());
beforeEach(() => {
  bucket.mayPass = () => true;
  bucket.parts.length = 0;
});

const store = (more: Readonly<Record<string, string>> = {}) => {
  const { endpoint, name, accessKeyId, secretAccessKey } = bucket.settings;
  const keys = { AWSAccessKey: accessKeyId, AWSSecretAccessKey: secretAccessKey };
  return settings({ S3Bucket: name, Endpoint: endpoint, ...keys, ...more }, ['AWSSecretAccessKey']);
};
const artifact = (configuration: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
  ({ type: 'external', id: 'app', plugin: PLUGIN, store: store(more), configuration: settings(configuration) }) as const;
const fetching = (configuration: Readonly<Record<string, string>>) => ({
  artifact: 'app',
  plugin: PLUGIN,
  store: store(),
  configuration: settings(configuration),
});
const stored = (key: string) => readFileSync(bucket.fileOf(key), 'utf8');
const read = (lab: ExternalLab, path: string) => readFileSync(join(lab.pipelineFolder, path), 'utf8');

describe('publishing', () => {
  test('a file is published to a destination with variables', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('target/app.jar', 'jar');
    assert.deepEqual(await lab.publish(artifact({ Source: 'target/app.jar', Destination: `/app/\${GO_PIPELINE_LABEL}/$\${x}/` })), []);
    assert.equal(stored(`app/1.7/\${x}/app.jar`), 'jar');
    assert.deepEqual(JSON.parse(lab.metadata.get(FILE)!), { app: { bucket: 'backups', key: `app/1.7/\${x}`, files: ['app.jar'] } });
    assert.deepEqual(lab.output, [`Source "target/app.jar" was pushed to the S3 bucket "backups": 1 file in "app/1.7/\${x}".`]);
    assert.ok(![...lab.metadata.values(), ...lab.output, ...lab.complaints].some((text) => text.includes(SECRET)));
  });

  test('a folder is published to the root of the bucket, with names in all alphabets', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('dist/a b.txt', '1');
    lab.write("dist/deep/ü+&'(1).txt", '2');
    lab.write('dist/deep/empty', '');
    assert.deepEqual(await lab.publish(artifact({ Source: 'dist' })), []);
    assert.deepEqual([stored('dist/a b.txt'), stored("dist/deep/ü+&'(1).txt"), stored('dist/deep/empty')], ['1', '2', '']);
  });

  test('a large file is published in parts, and comes back with the same bytes', async (context) => {
    const lab = new ExternalLab(context);
    const content = randomBytes(33 * 1024 * 1024);
    lab.write('big.bin', content);
    let requests = 0;
    bucket.mayPass = () => ++requests % 4 !== 0;
    assert.deepEqual(await lab.publish(artifact({ Source: 'big.bin', Destination: 'big' })), [], lab.complaints.join('\n'));
    assert.deepEqual([...new Set(bucket.parts)], [1, 2, 3]);
    await lab.fetch(fetching({ IsFile: 'true', Destination: 'back' }));
    assert.ok(readFileSync(join(lab.pipelineFolder, 'back/big.bin')).equals(content));
  });

  test('a file is not published if a folder above it becomes a link meanwhile', { skip: process.platform !== 'linux' }, async (context) => {
    const lab = new ExternalLab(context);
    lab.write('dist/a', 'mine');
    lab.write('dist/token', 'mine');
    const [folder, outside] = [join(lab.pipelineFolder, 'dist'), join(lab.folder, 'outside')];
    mkdirSync(outside);
    writeFileSync(join(outside, 'token'), 'secret');
    bucket.mayPass = () => {
      if (existsSync(`${folder}-before`)) return true;
      renameSync(folder, `${folder}-before`);
      symlinkSync(outside, folder);
      return true;
    };
    assert.deepEqual(await lab.publish(artifact({ Source: 'dist', Destination: 'swapped' })), ['app']);
    assert.match(lab.complaints[0]!, /dist\/token is not sent: a folder above it has become a link\.$/);
    assert.equal(stored('swapped/dist/a'), 'mine');
    assert.equal(existsSync(bucket.fileOf('swapped/dist/token')), false);
  });

  test('the console shows the progress of slow transfers', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const lab = new ExternalLab(context);
    lab.write('big.bin', Buffer.alloc(20 * 1024 * 1024));
    bucket.mayPass = (request) => {
      if (request.includes('partNumber=2') || request.startsWith('GET')) context.mock.timers.tick(10_000);
      return true;
    };
    assert.deepEqual(await lab.publish(artifact({ Source: 'big.bin', Destination: 'slow' })), []);
    assert.equal(lab.output[0], 'Pushed 16.8 MB so far.');
    await lab.fetch(fetching({ Destination: 'back' }));
    assert.equal(lab.output[2], 'Fetched 0 bytes so far.');
  });

  test('an artifact that cannot be published fails with a sentence, and the others are kept', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('a', '1');
    const other = { ...artifact({ Source: 'a' }), id: 'other' };
    const unknown = { ...artifact({ Source: 'a' }), id: 'unknown', plugin: 'acme' };
    const failed = await lab.publish(artifact({ Source: 'none' }), other, unknown);
    assert.deepEqual(failed, ['app', 'unknown']);
    assert.deepEqual(lab.complaints, [
      'The external artifact "app" was not published: Failed to find none',
      'The external artifact "unknown" was not published: This agent has no artifact plugin "acme".',
    ]);
    assert.deepEqual(Object.keys(JSON.parse(lab.metadata.get(FILE)!)), ['other']);
  });

  test('settings that no store can fulfil, or that would reveal a secret, are refused', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('a', '1');
    const secret = { ...artifact({ Source: 'a' }), configuration: settings({ Source: 'a', Destination: 'hush' }, ['Destination']) };
    const keyless = { AWSAccessKey: '', AWSSecretAccessKey: '' };
    await lab.publish(artifact({ Source: 'a', Destination: `\${NONE}` }), artifact({ Source: 'a', Destination: `x/\${TOKEN}` }), secret);
    await lab.publish(artifact({ Source: 'a', Destination: 'a/../../b' }), artifact({ Source: 'a' }, keyless));
    const expected = [
      /uses the environment variable "NONE", which this job does not have/,
      /uses the secret variable "TOKEN"/,
      /"Destination" is a secret/,
      /"a\/..\/..\/b" leads out of the bucket/,
      /has no access keys, and neither has the environment of the job/,
    ];
    assert.equal(lab.complaints.length, expected.length);
    for (const [index, pattern] of expected.entries()) assert.match(lab.complaints[index]!, pattern);
    assert.equal(lab.metadata.size, 0);
    assert.ok(!lab.complaints.join('').includes('hush'));
  });

  test('keys can come from the environment of the job; wrong ones are refused', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('a', '1');
    const keyless = { AWSAccessKey: '', AWSSecretAccessKey: '' };
    lab.environment = { AWS_ACCESS_KEY_ID: SECRET, AWS_SECRET_ACCESS_KEY: SECRET };
    assert.deepEqual(await lab.publish(artifact({ Source: 'a', Destination: 'own' }, keyless)), []);
    assert.equal(stored('own/a'), '1');
    assert.deepEqual(await lab.publish(artifact({ Source: 'a' }, { AWSSecretAccessKey: 'wrong-secret' })), ['app']);
    assert.match(lab.complaints[0]!, /The store answered 403 to PUT a\. SignatureDoesNotMatch: No\.$/);
  });

  test('a job that ends leaves no parts behind', async (context) => {
    const lab = new ExternalLab(context);
    lab.write('big.bin', Buffer.alloc(40 * 1024 * 1024));
    const asked: string[] = [];
    bucket.mayPass = (request) => {
      asked.push(request.replace(/uploadId=.*/, 'uploadId'));
      if (request.includes('partNumber=2')) lab.abort.abort();
      return true;
    };
    await assert.rejects(lab.publish(artifact({ Source: 'big.bin', Destination: 'cut' })), { name: 'AbortError' });
    assert.equal(asked.at(-1), 'DELETE /backups/cut/big.bin?uploadId');
    assert.ok(!existsSync(bucket.fileOf('cut/big.bin')));
  });
});

describe('fetching', () => {
  const published = async (lab: ExternalLab, configuration: Readonly<Record<string, string>>) => {
    for (const path of ['dist/a.txt', 'dist/lib/b.txt', 'dist/lib/deep/c.txt', 'dist/library.txt']) lab.write(path, path);
    assert.deepEqual(await lab.publish(artifact(configuration)), [], lab.complaints.join('\n'));
  };
  const tree = (lab: ExternalLab, folder: string) =>
    readdirSync(join(lab.pipelineFolder, folder), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(lab.pipelineFolder.length + folder.length + 2))
      .sort();

  test('a whole artifact, a folder of it, or one file is fetched', async (context) => {
    const lab = new ExternalLab(context);
    await published(lab, { Source: 'dist', Destination: `r/\${GO_PIPELINE_LABEL}` });
    await lab.fetch(fetching({ Destination: 'all' }));
    assert.deepEqual(tree(lab, 'all'), ['dist/a.txt', 'dist/lib/b.txt', 'dist/lib/deep/c.txt', 'dist/library.txt']);
    await lab.fetch(fetching({ SubPath: 'dist/lib/', IsFile: 'false', Destination: 'some' }));
    assert.deepEqual(tree(lab, 'some'), ['lib/b.txt', 'lib/deep/c.txt']);
    assert.equal(read(lab, 'some/lib/deep/c.txt'), 'dist/lib/deep/c.txt');
    await lab.fetch(fetching({ SubPath: 'dist/lib/b.txt', IsFile: 'true' }));
    assert.equal(read(lab, 'b.txt'), 'dist/lib/b.txt');
  });

  test('files of others beside it are not part of it, unless there are too many files to name', async (context) => {
    const lab = new ExternalLab(context);
    await published(lab, { Source: 'dist', Destination: 'shared' });
    await new S3Client(bucket.settings).put('shared/dist/stranger.txt', Buffer.from('x'));
    await new S3Client(bucket.settings).put('shared/dist/folder/', Buffer.alloc(0));
    await lab.fetch(fetching({ Destination: 'own' }));
    assert.ok(!tree(lab, 'own').includes('dist/stranger.txt'));
    const { files: _, ...listed } = JSON.parse(lab.metadata.get(FILE)!).app;
    lab.metadata.set(FILE, JSON.stringify({ app: listed }));
    await lab.fetch(fetching({ SubPath: 'dist', Destination: 'more' }));
    assert.deepEqual(tree(lab, 'more'), ['dist/a.txt', 'dist/lib/b.txt', 'dist/lib/deep/c.txt', 'dist/library.txt', 'dist/stranger.txt']);
    await lab.fetch(fetching({ SubPath: 'dist/lib', Destination: 'lib' }));
    assert.deepEqual(tree(lab, 'lib'), ['lib/b.txt', 'lib/deep/c.txt']);
  });

  test('names are kept of so many files', async (context) => {
    const lab = new ExternalLab(context);
    const files = async function* () {
      for (const name of ['1', '2', '3']) yield { real: lab.write(name, name), name, path: name };
    };
    const publishContext = { ...lab, out: () => {}, err: () => {}, isSecret: () => false, files, environment: {} };
    assert.deepEqual(await publishS3(artifact({ Source: '*', Destination: 'n' }), publishContext, 2), { bucket: 'backups', key: 'n' });
    const metadata = await publishS3(artifact({ Source: '*', Destination: 'n' }), publishContext, 3);
    assert.deepEqual(metadata, { bucket: 'backups', key: 'n', files: ['1', '2', '3'] });
  });

  test('goes on after a cut where it was', async (context) => {
    const lab = new ExternalLab(context);
    const content = randomBytes(3 * 1024 * 1024);
    lab.write('cut.bin', content);
    await lab.publish(artifact({ Source: 'cut.bin', Destination: 'c' }));
    bucket.cutAnswerAfter = 1024 * 1024;
    await lab.fetch(fetching({ Destination: 'back' }));
    assert.ok(readFileSync(join(lab.pipelineFolder, 'back/cut.bin')).equals(content));
    assert.match(bucket.ranges.at(-1)!, /^bytes=[1-9]\d*-$/);
    assert.deepEqual(readdirSync(join(lab.pipelineFolder, 'back')), ['cut.bin']);
  });

  test('a missing artifact or file fails with a sentence, and leaves nothing', async (context) => {
    const lab = new ExternalLab(context);
    const none = { message: 'The job did not publish the external artifact "app": nothing is known of it.' };
    await assert.rejects(lab.fetch(fetching({})), none);
    for (const text of ['{', '[]', '{"app": 1}', '{"other": {}}', '{"__proto__": {"app": {}}}']) {
      lab.metadata.set(FILE, text);
      await assert.rejects(lab.fetch(fetching({})), none);
    }
    for (const wrong of [{}, { bucket: 'b' }, { bucket: 'b', key: 1 }, { bucket: 'b', key: '', files: [1] }]) {
      lab.metadata.set(FILE, JSON.stringify({ app: wrong }));
      await assert.rejects(lab.fetch(fetching({})), /is not what the S3 plugin says/);
    }
    await published(lab, { Source: 'dist', Destination: 'gone' });
    await assert.rejects(lab.fetch(fetching({ SubPath: 'none' })), /has nothing at "gone\/none"/);
    await assert.rejects(lab.fetch(fetching({ SubPath: 'none', IsFile: 'true', Destination: 'left' })), /has no "gone\/none" any more/);
    await assert.rejects(lab.fetch(fetching({ IsFile: 'true' })), /several files: the setting "SubPath" has to say/);
    await assert.rejects(lab.fetch(fetching({ SubPath: '../other' })), /leads out of the bucket/);
    assert.deepEqual(readdirSync(join(lab.pipelineFolder, 'left')), []);
  });

  test('forged metadata leads to no other bucket or folder', async (context) => {
    const lab = new ExternalLab(context);
    const setMetadata = (app: object) => lab.metadata.set(FILE, JSON.stringify({ app }));
    setMetadata({ bucket: '..', key: '', files: ['backups/a'] });
    await assert.rejects(
      lab.fetch(fetching({})),
      (failure) => failure instanceof BucketFailure && /is no name of an object/.test(failure.message),
    );
    setMetadata({ bucket: 'backups', key: 'a', files: ['../../x'] });
    await assert.rejects(lab.fetch(fetching({})), /leads out of the bucket|is no name of an object/);
  });
});

// Very many files, and files that are deleted while a client reads them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TOO_MANY } from '../../src/api/endpoints/artifacts/docs.ts';
import { MAX_LISTED } from '../../src/api/endpoints/artifacts/published.ts';
import { ADMIN_PASSWORD, basic } from '../support/server/server.ts';
import { ArtifactLab, JOB } from './artifact-lab.ts';

const MANY = 100_000;
let lab: ArtifactLab;
before(async () => {
  lab = await ArtifactLab.start();
});
after(() => lab.stop());

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly files?: readonly Entry[];
}

/** Adds rows without the files themselves. */
async function addRows(folder: string, count: number): Promise<void> {
  const rows = `with recursive n(x) as (select 0 union all select x + 1 from n where x < ?) select ?, '${folder}/' || x, 1, 'a', 'b', 0 from n`;
  await lab.change(`insert into artifacts (job_id, path, bytes, sha256, md5, created_at) ${rows}`, count - 1, lab.jobId);
}

test('a download goes on while the file is deleted, and after that it is gone', async () => {
  const content = randomBytes(30_000_000);
  await lab.publishFiles({ 'large.bin': new Uint8Array(content) });
  const { hostname, port } = new URL(lab.runs.server.url);
  const got = await new Promise<Buffer>((resolve, reject) => {
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD) };
    const sent = request({ hostname, port, path: `${JOB}/large.bin`, headers }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) {
        if (pieces.length === 0) {
          rmSync(join(lab.folder, 'large.bin'));
          await lab.change('delete from artifacts where path = ?', 'large.bin');
        }
        pieces.push(piece);
      }
      resolve(Buffer.concat(pieces));
    });
    sent.on('error', reject).end();
  });
  assert.ok(got.equals(content));
  assert.equal((await lab.ask(`${JOB}/large.bin`)).status, 404);
});

test('an archive with a missing file is cut off, so that no client takes it for whole', async () => {
  await lab.publishFiles({ 'part/a': 'here', 'part/b': 'gone' });
  rmSync(join(lab.folder, 'part/b'));
  await assert.rejects(lab.ask(`${JOB}/part.zip`));
});

test(`a list of ${MANY} files comes page by page, each file once`, async () => {
  await lab.change('delete from artifacts');
  await addRows('many', MANY);
  const seen = new Set<string>();
  let pages = 0;
  for (let next: string | undefined = `${JOB}.json`; next !== undefined; pages++) {
    const { status, json, headers } = await lab.ask(next);
    assert.equal(status, 200);
    const folder = (json as Entry[]).find(({ name }) => name === 'many')!;
    assert.ok(folder.files!.length <= MAX_LISTED);
    for (const { name } of folder.files!) {
      assert.ok(!seen.has(name));
      seen.add(name);
    }
    assert.equal(
      (json as Entry[]).some(({ name }) => name === 'cruise-output'),
      pages === 0,
    );
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    next = link?.slice(lab.runs.server.url.length);
  }
  assert.deepEqual([seen.size, pages], [MANY, MANY / MAX_LISTED]);
  const below = await lab.ask(`${JOB}/many`);
  assert.equal(below.json.length, MAX_LISTED);
  assert.match(below.headers.get('link')!, /\/unit\/many\?after=many%2F\d+>; rel="next"$/);
});

test('a folder with too many files for an archive is refused before it begins', async () => {
  await lab.change('delete from artifacts');
  await addRows('more', 200_001);
  const refused = await lab.ask(`${JOB}/more.zip`);
  assert.deepEqual([refused.status, refused.json.message], [422, TOO_MANY]);
  await lab.change("delete from artifacts where path = 'more/0'");
  // Now there are not too many. It ends at the first one, for none is on the disk.
  await assert.rejects(lab.ask(`${JOB}/more.zip`));
});

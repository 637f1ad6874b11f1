// Large consoles of a real server: any line, any bytes, where tasks begin, where a text stands.
import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type ConsoleRouteParts, consoleRoutes } from '../../../src/api/endpoints/consoles/routes.ts';
import type { JobIdentifier } from '../../../src/artifacts/stage-run.ts';
import type { Consoles } from '../../../src/builds/console/consoles.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import { ConsoleLab } from '../../builds/console-lab.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../../support/server/server.ts';

const JOB = '/up42/7/build/1/compile';
const LINES = `/api/jobs${JOB}/console`;
const FILE = `/files${JOB}/cruise-output/console.log`;
const TIME = '09:30:00.000';
const MILLION = 1_000_000;

const lab = new ConsoleLab();
let consoles: Consoles;
let server: TestServer;
let identifier: JobIdentifier;
let isActive: boolean;
let counter = 0;

const parts: Omit<ConsoleRouteParts, 'consoles'> = {
  jobs: { find: async () => ({ id: 42, identifier, group: 'first', isActive, isPurged: false }), groupOf: () => 'first' },
  access: { mayView: ({ loginName }) => loginName === 'admin', passes: () => false },
  isStillAllowed: () => true,
  agentOf: () => {
    throw new Refusal('unauthenticated', 'You are not authenticated!');
  },
  ownerOf: async () => undefined,
  stopping: new AbortController().signal,
};

before(async () => {
  consoles = lab.open();
  server = await TestServer.start({}, { routes: consoleRoutes({ ...parts, consoles }) });
});
after(async () => {
  await server.stop();
  await lab.close();
});
beforeEach(() => {
  isActive = false;
  identifier = { pipeline: 'up42', pipelineCounter: 100 + ++counter, stage: 'build', stageCounter: 1, job: 'compile' };
});

function write(text: string): string {
  mkdirSync(lab.folder(identifier), { recursive: true });
  const path = join(lab.folder(identifier), 'console.log');
  writeFileSync(path, text);
  return path;
}

const lineOf = (index: number) => `&1|${TIME} line number ${index} of a console that is long\n`;
const file = async (headers: Readonly<Record<string, string>> = {}, query = '') => {
  const reply = await server.get(FILE + query, { accept: null, headers });
  return {
    status: reply.status,
    text: reply.text,
    range: reply.headers.get('content-range'),
    etag: reply.etag,
    accepts: reply.headers.get('accept-ranges'),
  };
};
/** The numbers of lines, read as JSON lines: the client of tests would take the answer for one object. */
const numbers = async (query: string) => {
  const answer = await fetch(server.url + LINES + query, { headers: { Authorization: basic('admin', ADMIN_PASSWORD) } });
  assert.equal(answer.status, 200);
  return (await answer.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { line: number }).line);
};

describe('bytes', () => {
  const TEXT = 'zero\none\ntwo\n';
  test('are sent whole, or as the requested range; a range outside of the file is refused', async () => {
    write(TEXT);
    const whole = await file();
    assert.deepEqual([whole.status, whole.text, whole.accepts], [200, TEXT, 'bytes']);
    const part = await file({ Range: 'bytes=5-7' });
    assert.deepEqual([part.status, part.text, part.range], [206, 'one', 'bytes 5-7/13']);
    assert.deepEqual([(await file({ Range: 'bytes=9-' })).text, (await file({ Range: 'bytes=-4' })).text], ['two\n', 'two\n']);
    const none = await file({ Range: 'bytes=13-' });
    assert.deepEqual([none.status, none.range], [416, 'bytes */13']);
    assert.equal((await file({ Range: 'lines=1-2' })).status, 200);
  });

  test('bytes of a range are sent only if the console is still the one of the ETag', async () => {
    write(TEXT);
    const { etag } = await file();
    assert.equal((await file({ Range: 'bytes=0-3', 'If-Range': etag! })).status, 206);
    assert.equal((await file({ Range: 'bytes=0-3', 'If-Range': '"12-0"' })).status, 200);
    assert.equal((await file({ Range: 'bytes=0-3' }, '?startLineNumber=1')).text, 'one\ntwo\n');
  });

  test('bytes of a running job are sent in whole lines, and more as they come', async () => {
    isActive = true;
    const print = (text: string, offset: number) => consoles.append(identifier, 1, offset, Buffer.from(text));
    await print('zero\nhal', 0);
    assert.deepEqual([(await file({ Range: 'bytes=2-' })).text, (await file({ Range: 'bytes=5-' })).status], ['ro\n', 416]);
    await print('f\n', 8);
    assert.deepEqual((await file({ Range: 'bytes=5-' })).text, 'half\n');
  });

  test('have the same ETag for clients that accept compression', async () => {
    write(TEXT.repeat(1000));
    const { etag } = await file({ 'Accept-Encoding': 'gzip' });
    assert.match(etag!, /^"/);
  });
});

describe('a console of a million lines', () => {
  let size = 0;
  let million: JobIdentifier;
  before(() => {
    identifier = { pipeline: 'up42', pipelineCounter: 99, stage: 'build', stageCounter: 1, job: 'compile' };
    million = identifier;
    const text = [
      `!!|${TIME} Task: one\n`,
      ...Array.from({ length: MILLION - 3 }, (_, index) => lineOf(index + 1)),
      `?0|${TIME} passed\n`,
      'the Very last\n',
    ].join('');
    size = text.length;
    write(text);
  });
  beforeEach(() => {
    identifier = million;
  });

  test('any line is found, and as many lines as asked for', async () => {
    for (const from of [0, 999_990, 500_000, 3]) assert.deepEqual(await numbers(`?from=${from}&limit=3`), [from, from + 1, from + 2]);
    assert.deepEqual(await numbers('?from=999999&limit=100'), [999_999]);
    assert.deepEqual(await numbers('?from=1000000&limit=100'), []);
    for (const limit of ['0', '100001', 'x']) assert.equal((await server.get(`${LINES}?limit=${limit}`)).status, 400);
  });

  test('every line is found with the help of the line index', async () => {
    assert.equal((await consoles.sections(identifier, false)).lines, MILLION);
    for (let from = 0; from < MILLION; from += 49_999) assert.deepEqual(await numbers(`?from=${from}&limit=1`), [from]);
  });

  test('the section of the only task is found', async () => {
    const { status, json, etag } = await server.get(`${LINES}/sections`);
    assert.equal(status, 200);
    assert.deepEqual(json, {
      lines: MILLION,
      bytes: size,
      is_active: false,
      is_cut: false,
      sections: [
        { kind: 'task', line: 0, offset: 0, text: 'Task: one', time: TIME, end_line: MILLION - 2, end_time: TIME, result: 'passed' },
      ],
    });
    assert.equal((await server.get(`${LINES}/sections`, { headers: { 'If-None-Match': etag! } })).status, 304);
  });

  test('a text is found, page by page', async () => {
    const first = await server.get(`${LINES}/search?search=NUMBER%2077777&limit=2`);
    assert.deepEqual(
      first.json.matches.map(({ line, text }: { line: number; text: string }) => [line, text.slice(0, 18)]),
      [
        [77_777, 'line number 77777 '],
        [777_770, 'line number 777770'],
      ],
    );
    assert.deepEqual([first.json.after, first.json.is_end], [777_770, false]);
    const next = await server.get(`${LINES}/search?search=NUMBER%2077777&limit=1000&after=${first.json.after}`);
    assert.equal(next.json.matches.length, 9);
    const { offset, line } = next.json.matches[0];
    const part = await file({ Range: `bytes=${offset}-${offset + 40}` });
    assert.ok(part.text.startsWith(`&1|${TIME} line number ${line}`));
    assert.deepEqual([next.json.after, next.json.is_end], [MILLION - 1, true]);
    assert.equal((await server.get(`${LINES}/search?search=very&match_case=true`)).json.matches.length, 0);
    assert.equal((await server.get(`${LINES}/search?search=very&match_case=false`)).json.matches[0].line, MILLION - 1);
  });
});

describe('sections and search', () => {
  test('the sections of a console that grows are extended', async () => {
    isActive = true;
    const print = (text: string, offset: number) => consoles.append(identifier, 1, offset, Buffer.from(text));
    const one = `!!|${TIME} Task: one\n&1|${TIME} x\n`;
    await print(`${one}&1|${TIME} un`, 0);
    const { json } = await server.get(`${LINES}/sections`);
    assert.deepEqual([json.lines, json.is_active, json.sections.length, json.sections[0].end_line], [2, true, 1, null]);
    const two = `finished\n?1|${TIME} failed\n!!|${TIME} Task: two\n`;
    await print(two, one.length + `&1|${TIME} un`.length);
    const more = (await server.get(`${LINES}/sections`)).json;
    assert.deepEqual(
      more.sections.map(({ line, end_line: end, result }: Record<string, unknown>) => [line, end, result]),
      [
        [0, 3, 'failed'],
        [4, null, null],
      ],
    );
    assert.equal(more.lines, 5);
  });

  test('the sections of a file that has become shorter are read anew', async () => {
    const path = write(`!!|${TIME} Task: one\n!!|${TIME} Task: two\n`);
    assert.equal((await server.get(`${LINES}/sections`)).json.sections.length, 2);
    truncateSync(path, `!!|${TIME} Task: one\n`.length);
    assert.equal((await server.get(`${LINES}/sections`)).json.sections.length, 1);
  });

  test('an invalid text to search for, or a parameter out of its range, is refused', async () => {
    write('x\n');
    for (const query of [
      '',
      '?search=',
      `?search=${'x'.repeat(1001)}`,
      '?search=a%0Ab',
      '?search=x&limit=0',
      '?search=x&match_case=maybe',
      '?serch=x',
    ])
      assert.equal((await server.get(`${LINES}/search${query}`)).status, 400, query);
    assert.equal((await server.get(`${LINES}/sections?from=1`)).status, 400);
  });

  test('many requests at once read the console once', async () => {
    write(`!!|${TIME} Task: one\n${lineOf(1).repeat(10_000)}`);
    const all = await Promise.all(Array.from({ length: 10 }, () => server.get(`${LINES}/sections`)));
    for (const { json } of all) assert.deepEqual([json.lines, json.sections.length], [10_001, 1]);
  });

  test('a job without a console gets 404', async () => {
    assert.equal((await server.get(`${LINES}/sections`)).status, 404);
    assert.equal((await server.get(`${LINES}/search?search=x`)).status, 404);
  });
});

// Consoles on disk: each byte of the agent once, lines of the server between them, also after a kill of the server.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConsoleLab, JOB } from './console-lab.ts';

const bytes = (text: string) => Buffer.from(text);
const NOTE = /^##\|\d\d:\d\d:\d\d\.\d{3} /m;
const withoutTimes = (text: string) => text.replace(new RegExp(NOTE, 'gm'), '## ');

let lab: ConsoleLab;
beforeEach(() => {
  lab = new ConsoleLab();
});
afterEach(() => lab.close());

describe('the bytes of the agent', () => {
  test('lie in the folder of the job, readable by the user of the server alone', async () => {
    await lab.open().append(JOB, 1, 0, bytes('hello\n'));
    const file = join(lab.root, 'pipelines/up42/7/build/1/compile/cruise-output/console.log');
    assert.equal(readFileSync(file, 'utf8'), 'hello\n');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
  });

  test('sent again are not doubled, all of them or in part', async () => {
    const consoles = lab.open();
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('abc')), { length: 3 });
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('abc')), { length: 3 });
    assert.deepEqual(await consoles.append(JOB, 1, 1, bytes('bcde')), { length: 5 });
    assert.deepEqual(await consoles.append(JOB, 1, 5, bytes('')), { length: 5 });
    assert.equal(lab.text(), 'abcde');
  });

  test('bytes of the agent with a gap before them are refused', async () => {
    const consoles = lab.open();
    assert.deepEqual(await consoles.append(JOB, 1, 4, bytes('x')), { gap: 0 });
    await consoles.append(JOB, 1, 0, bytes('abc'));
    assert.deepEqual(await consoles.append(JOB, 1, 4, bytes('x')), { gap: 3 });
    assert.equal(lab.text(), 'abc');
  });

  test('sent at the same time are written in the order of the calls', async () => {
    const consoles = lab.open();
    const sent = Array.from({ length: 50 }, (_, index) => consoles.append(JOB, 1, index * 4, bytes(`${100 + index}\n`)));
    assert.deepEqual(
      await Promise.all(sent),
      Array.from({ length: 50 }, (_, index) => ({ length: index * 4 + 4 })),
    );
    assert.equal(lab.text(), Array.from({ length: 50 }, (_, index) => `${100 + index}\n`).join(''));
  });

  test('bytes of another agent begin at 0 again, on a line of their own', async () => {
    const consoles = lab.open();
    await consoles.append(JOB, 1, 0, bytes('first\nhalf a line'));
    assert.deepEqual(await consoles.append(JOB, 2, 0, bytes('second\n')), { length: 7 });
    assert.deepEqual(await consoles.append(JOB, 2, 0, bytes('second\n')), { length: 7 });
    assert.equal(lab.text(), 'first\nhalf a line\nsecond\n');
  });

  test('bytes of an agent that does not have the job any more are refused', async () => {
    const consoles = lab.open();
    await consoles.append(JOB, 2, 0, bytes('second\n'));
    await assert.rejects(consoles.append(JOB, 1, 0, bytes('first\n')), { kind: 'conflict' });
    assert.deepEqual(await consoles.append(JOB, 2, 7, bytes('more\n')), { length: 12 });
    assert.equal(lab.text(), 'second\nmore\n');
  });
});

describe('lines of the server', () => {
  test('stand between those of the agent and do not count', async () => {
    const consoles = lab.open();
    await consoles.append(JOB, 1, 0, bytes('one\n'));
    await consoles.note(JOB, '[Slipway] hello');
    assert.deepEqual(await consoles.append(JOB, 1, 4, bytes('two\n')), { length: 8 });
    assert.equal(withoutTimes(lab.text()), 'one\n## [Slipway] hello\ntwo\n');
  });

  test('can be the first, or all there is', async () => {
    const consoles = lab.open();
    await consoles.note(JOB, 'no agent');
    assert.equal(withoutTimes(lab.text()), '## no agent\n');
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('one\n')), { length: 4 });
    assert.equal(withoutTimes(lab.text()), '## no agent\none\n');
  });

  test('end a line that the agent has begun', async () => {
    const consoles = lab.open();
    await consoles.append(JOB, 1, 0, bytes('Password: '));
    await consoles.note(JOB, 'cancelled');
    await consoles.append(JOB, 1, 10, bytes('rest\n'));
    assert.equal(withoutTimes(lab.text()), 'Password: \n## cancelled\nrest\n');
  });

  test('do not disturb the count after a restart either', async () => {
    const first = lab.open();
    await first.append(JOB, 3, 0, bytes('one\n'));
    await first.note(JOB, 'ä note');
    await first.append(JOB, 3, 4, bytes('two\n'));
    const second = lab.open();
    assert.deepEqual(await second.append(JOB, 3, 4, bytes('two\nthree\n')), { length: 14 });
    assert.deepEqual(await second.append(JOB, 3, 15, bytes('gap')), { gap: 14 });
    assert.equal(withoutTimes(lab.text()), 'one\n## ä note\ntwo\nthree\n');
  });
});

describe('an earlier run of the same number, which a restore has forgotten', () => {
  const [EARLIER, NOW] = [1_700_000_000_000, 1_700_000_100_000];
  const LINE = '## [Slipway] All above was printed by an earlier run of the same number.\n';

  test('does not keep lines of the present run out', async () => {
    await lab.open().append(JOB, 3, 0, bytes('lost\nlost'), EARLIER);
    const consoles = lab.open();
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('one\n'), NOW), { length: 4 });
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('one\ntwo\n'), NOW), { length: 8 });
    assert.deepEqual(await lab.open().append(JOB, 2, 0, bytes('again\n'), NOW), { length: 6 });
    assert.equal(withoutTimes(lab.text()), `lost\nlost\n${LINE}one\ntwo\nagain\n`);
  });

  test('is not noticed if an earlier version did not note when its run began', async () => {
    await lab.open().append(JOB, 1, 0, bytes('one\n'));
    assert.deepEqual(await lab.open().append(JOB, 1, 4, bytes('two\n'), NOW), { length: 8 });
    assert.equal(lab.text(), 'one\ntwo\n');
  });
});

describe('a server that was killed', () => {
  test('a server killed before it wrote a line of its own writes that line at its next start, once', async () => {
    const first = lab.open();
    await first.append(JOB, 1, 0, bytes('one\n'));
    await first.note(JOB, 'why');
    const whole = lab.text();
    for (const left of [4, 5, whole.length - 1, whole.length]) {
      truncateSync(join(lab.folder(), 'console.log'), left);
      const next = lab.open();
      assert.deepEqual(await next.append(JOB, 1, 4, bytes('')), { length: 4 });
      assert.equal(lab.text(), whole, `${left} bytes were left`);
    }
  });

  test('a server killed while it wrote its journal goes on without that entry', async () => {
    await lab.open().append(JOB, 1, 0, bytes('one\n'));
    appendFileSync(join(lab.folder(), 'console.state'), '{"at":4,"text":"##|half');
    const next = lab.open();
    assert.deepEqual(await next.append(JOB, 1, 4, bytes('two\n')), { length: 8 });
    await next.note(JOB, 'whole');
    const last = lab.open();
    assert.deepEqual(await last.append(JOB, 1, 8, bytes('three\n')), { length: 14 });
    assert.equal(withoutTimes(lab.text()), 'one\ntwo\n## whole\nthree\n');
  });

  test('a server killed before it could acknowledge bytes knows them when they are sent again', async () => {
    await lab.open().append(JOB, 1, 0, bytes('one\n'));
    appendFileSync(join(lab.folder(), 'console.log'), 'tw');
    assert.deepEqual(await lab.open().append(JOB, 1, 4, bytes('two\n')), { length: 8 });
    assert.equal(lab.text(), 'one\ntwo\n');
  });
});

describe('a console that is too large', () => {
  const LIMIT = /^\[Slipway\] This console is larger than 10 bytes\. The rest is left out\.$/;

  test('gets one line about that, and further bytes are accepted and dropped', async () => {
    const consoles = lab.open({ maxBytes: 10 });
    assert.deepEqual(await consoles.append(JOB, 1, 0, bytes('12345\n')), { length: 6 });
    assert.deepEqual(await consoles.append(JOB, 1, 6, bytes('78901234\n')), { length: 15 });
    assert.deepEqual(await consoles.append(JOB, 1, 15, bytes('more\n')), { length: 20 });
    const lines = withoutTimes(lab.text()).split('\n');
    assert.deepEqual([lines[0], lines[1], lines.length], ['12345', '7890', 4]);
    assert.match(lines[2]!.slice(3), LIMIT);
  });

  test('exactly as large as it may be is not too large', async () => {
    const consoles = lab.open({ maxBytes: 10 });
    await consoles.append(JOB, 1, 0, bytes('123456789\n'));
    assert.equal(lab.text(), '123456789\n');
  });

  test('stays so after a restart and for another agent; lines of the server are still written', async () => {
    await lab.open({ maxBytes: 4 }).append(JOB, 1, 0, bytes('123\n567\n'));
    const next = lab.open({ maxBytes: 1000 });
    assert.deepEqual(await next.append(JOB, 1, 500, bytes('dropped')), { length: 507 });
    assert.deepEqual(await next.append(JOB, 2, 0, bytes('dropped')), { length: 7 });
    await next.note(JOB, 'why');
    assert.doesNotMatch(lab.text(), /dropped|567/);
    assert.match(withoutTimes(lab.text()), /^123\n## .*left out\.\n## why\n$/);
  });
});

describe('places', () => {
  test('places of consoles with names that could lead elsewhere are refused', async () => {
    const consoles = lab.open();
    for (const wrong of [{ job: '..' }, { job: 'a/b' }, { job: '' }, { pipeline: '../x' }, { stage: '.' }, { stageCounter: 0 }]) {
      await assert.rejects(consoles.append({ ...JOB, ...wrong }, 1, 0, bytes('x')), /not the place of a job/, JSON.stringify(wrong));
      await assert.rejects(consoles.note({ ...JOB, ...wrong }, 'x'), /not the place of a job/);
      await assert.rejects(consoles.read({ ...JOB, ...wrong }, 0, false), /not the place of a job/);
    }
  });

  test('places of consoles behind a link are refused, for writing and for reading', async () => {
    const elsewhere = new ConsoleLab();
    try {
      await elsewhere.open().append(JOB, 1, 0, bytes('secret\n'));
      mkdirSync(join(lab.root, 'pipelines/up42/7'), { recursive: true });
      symlinkSync(join(elsewhere.root, 'pipelines/up42/7/build'), join(lab.root, 'pipelines/up42/7/build'));
      await assert.rejects(lab.open().append(JOB, 1, 7, bytes('x')), /is not a folder/);
      await assert.rejects(lab.open().read(JOB, 0, false), /is not a folder/);
      assert.equal(elsewhere.text(), 'secret\n');
    } finally {
      await elsewhere.close();
    }
  });

  test('places of consoles whose file is a link are refused', async () => {
    for (const name of ['console.log', 'console.state']) {
      const job = { ...JOB, job: name.replace('.', '-') };
      mkdirSync(lab.folder(job), { recursive: true });
      const target = join(lab.root, `target-of-${name}`);
      writeFileSync(target, 'keep');
      symlinkSync(target, join(lab.folder(job), name));
      await assert.rejects(lab.open().append(job, 1, 0, bytes('x')), /is not a file/);
      assert.equal(readFileSync(target, 'utf8'), 'keep');
    }
    await assert.rejects(lab.open().read({ ...JOB, job: 'console-log' }, 0, false), /is not a file/);
  });
});

describe('open files', () => {
  const jobOf = (index: number) => ({ ...JOB, job: `job-${index}` });

  test('are no more than allowed, and nothing is lost by closing some', async () => {
    const consoles = lab.open({ maxOpen: 3 });
    for (const round of [0, 1]) {
      for (let index = 0; index < 10; index++) await consoles.append(jobOf(index), 1, round * 2, bytes(`${round}\n`));
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.ok(consoles.openFiles <= 3, `${consoles.openFiles}`);
    }
    for (let index = 0; index < 10; index++) assert.equal(lab.text(jobOf(index)), '0\n1\n');
  });

  test('may be more while they are written all at once', async () => {
    const consoles = lab.open({ maxOpen: 2 });
    const jobs = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(jobs.flatMap((index) => [0, 2, 4].map((offset) => consoles.append(jobOf(index), 1, offset, bytes(`${offset}\n`)))));
    for (const index of jobs) assert.equal(lab.text(jobOf(index)), '0\n2\n4\n');
    assert.deepEqual(lab.failures, []);
  });

  test('are closed when the job ends; later bytes of the agent are still written', async () => {
    const consoles = lab.open();
    const last = consoles.append(JOB, 1, 0, bytes('one\n'));
    consoles.end(JOB);
    await last;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(consoles.openFiles, 0);
    assert.deepEqual(await consoles.append(JOB, 1, 4, bytes('two\n')), { length: 8 });
    assert.equal(lab.text(), 'one\ntwo\n');
  });

  test('files that could not be written are opened anew', async () => {
    const consoles = lab.open();
    await consoles.append(JOB, 1, 0, bytes('one\n'));
    rmSync(join(lab.folder(), 'console.state'));
    mkdirSync(join(lab.folder(), 'console.state'));
    await assert.rejects(consoles.note(JOB, 'why'), /is not a file/);
    rmSync(join(lab.folder(), 'console.state'), { recursive: true });
    writeFileSync(join(lab.folder(), 'console.state'), '{"at":0,"text":"","epoch":1}\n');
    assert.deepEqual(await consoles.append(JOB, 1, 4, bytes('two\n')), { length: 8 });
    assert.equal(lab.text(), 'one\ntwo\n');
  });
});

describe('the last activity', () => {
  test('is the last time the agent sent bytes; lines of the server do not count', async () => {
    let now = new Date(1_000_000);
    const consoles = lab.open({ now: () => now });
    assert.equal(await consoles.lastActivity(JOB), undefined);
    await consoles.append(JOB, 1, 0, bytes('one\n'));
    now = new Date(2_000_000);
    await consoles.note(JOB, 'why');
    assert.equal(await consoles.lastActivity(JOB), 1_000_000);
  });

  test('is known from the file after a restart', async () => {
    await lab.open().append(JOB, 1, 0, bytes('one\n'));
    const known = await lab.open().lastActivity(JOB);
    assert.ok(Math.abs(known! - Date.now()) < 60_000, `${known}`);
    assert.ok(existsSync(lab.folder()));
  });
});

// Reading consoles: from a line on, and as they grow.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Consoles } from '../../src/builds/console/consoles.ts';
import { LineIndex } from '../../src/builds/console/line-index.ts';
import { findLine, MAX_LINE_BYTES } from '../../src/builds/console/line-reader.ts';
import { linesIn } from '../../src/builds/console/lines.ts';
import { until } from '../support/until.ts';
import { ConsoleLab, JOB, taken, textFrom } from './console-lab.ts';

const bytes = (text: string) => Buffer.from(text);

let lab: ConsoleLab;
let consoles: Consoles;
beforeEach(() => {
  lab = new ConsoleLab();
  consoles = lab.open();
});
afterEach(() => lab.close());

/** A console whose file was not written by this process. */
async function written(text: string | Buffer): Promise<void> {
  await consoles.append(JOB, 1, 0, bytes(''));
  writeFileSync(join(lab.folder(), 'console.log'), text);
}

describe('reading', () => {
  test('begins at a line, counted from 0', async () => {
    await written('zero\none\ntwo\n');
    assert.equal(await textFrom(consoles, 0), 'zero\none\ntwo\n');
    assert.equal(await textFrom(consoles, 1), 'one\ntwo\n');
    assert.equal(await textFrom(consoles, 2), 'two\n');
    assert.equal(await textFrom(consoles, 3), '');
    assert.equal(await textFrom(consoles, 4), '');
    assert.deepEqual(await taken(consoles.lines(JOB, 1, false)), ['1 one', '2 two']);
    assert.deepEqual(await taken(consoles.lines(JOB, 9, false)), []);
  });

  test('leaves out a line that is not complete, as long as the job is active', async () => {
    await written('zero\nhal');
    assert.equal(await textFrom(consoles, 0, { isActive: true }), 'zero\n');
    assert.equal(await textFrom(consoles, 1, { isActive: true }), '');
    assert.equal(await textFrom(consoles, 1), 'hal');
    assert.deepEqual(await taken(consoles.lines(JOB, 0, true)), ['0 zero']);
    assert.deepEqual(await taken(consoles.lines(JOB, 0, false)), ['0 zero', '1 hal']);
  });

  test('finds nothing where there is nothing', async () => {
    assert.equal(await textFrom(consoles, 0), undefined);
    assert.deepEqual(await taken(consoles.lines(JOB, 0, false)), []);
    await consoles.append(JOB, 1, 0, bytes(''));
    assert.equal(await textFrom(consoles, 0, { isActive: true }), '');
  });

  test('says how much there is, and another version when there is more', async () => {
    await consoles.append(JOB, 1, 0, bytes('zero\none\n'));
    const first = (await consoles.read(JOB, 1, true))!;
    const same = (await consoles.read(JOB, 1, true))!;
    await consoles.append(JOB, 1, 9, bytes('two\n'));
    const more = (await consoles.read(JOB, 1, true))!;
    for (const { stream } of [first, same, more]) stream.destroy();
    assert.deepEqual([first.bytes, more.bytes], [4, 8]);
    assert.equal(first.version, same.version);
    assert.notEqual(first.version, more.version);
  });

  test('finds every line of a large console, in any order', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index} ${'x'.repeat(index % 97)}`);
    await written(`${lines.join('\n')}\n`);
    for (const line of [59_999, 0, 30_000, 12_345, 59_998, 1, 45_000]) {
      const [first] = await taken(consoles.lines(JOB, line, false));
      assert.equal(first, `${line} ${lines[line]}`);
      assert.equal(await textFrom(consoles, line), `${lines.slice(line).join('\n')}\n`);
    }
    assert.deepEqual(
      await taken(consoles.lines(JOB, 0, false)),
      lines.map((line, index) => `${index} ${line}`),
    );
  });

  test('does not read again the parts that earlier reads have indexed', async () => {
    await written(`${'a line of a console\n'.repeat(200_000)}`);
    const log = await open(join(lab.folder(), 'console.log'), 'r');
    try {
      const index = new LineIndex();
      let read = 0;
      const counted = log.read.bind(log) as (
        buffer: Buffer,
        at: number,
        length: number,
        position: number,
      ) => ReturnType<FileHandle['read']>;
      Object.assign(log, {
        read: (buffer: Buffer, at: number, length: number, position: number) => {
          read += length;
          return counted(buffer, at, length, position);
        },
      });
      await findLine(log, index, 199_999);
      assert.ok(read >= 3_900_000, `${read}`);
      for (const line of [199_999, 200_000, 100_000, 7]) {
        read = 0;
        assert.equal(await findLine(log, index, line), line * 20);
        assert.ok(read <= 512 * 1024, `${line}: ${read}`);
      }
    } finally {
      await log.close();
    }
  });

  test('reading a file that was replaced by a shorter one begins anew', async () => {
    await written('zero\none\ntwo\n');
    await textFrom(consoles, 3);
    await written('z\no\n');
    assert.equal(await textFrom(consoles, 1), 'o\n');
  });

  test('cuts lines that are far too long, and goes on with the next one', async () => {
    const long = 'y'.repeat(3 * MAX_LINE_BYTES);
    await written(`zero\n${long}\ntwo\n`);
    const shown: [number, number, boolean][] = [];
    for await (const block of consoles.lines(JOB, 0, false))
      shown.push(...linesIn(block).map(({ line, text, is_cut: isCut = false }): [number, number, boolean] => [line, text.length, isCut]));
    assert.deepEqual(shown, [
      [0, 4, false],
      [1, MAX_LINE_BYTES, true],
      [2, 3, false],
    ]);
    assert.equal(await textFrom(consoles, 1), `${long}\ntwo\n`);
  });

  test('shows bytes that are no text as well as it can', async () => {
    await written(Buffer.from([0xff, 0x41, 0x0a, 0x0a]));
    assert.deepEqual(await taken(consoles.lines(JOB, 0, false)), ['0 \ufffdA', '1 ']);
  });
});

describe('following', () => {
  let isActive: boolean;
  let lines: string[];
  let following: Promise<void>;
  const aborting = () => new AbortController();

  beforeEach(() => {
    isActive = true;
    lines = [];
  });

  function follow(from = 0, signal?: AbortSignal): void {
    const blocks = consoles.follow(JOB, { from, isActive: () => isActive, ...(signal && { signal }) });
    following = (async () => {
      for await (const block of blocks) lines.push(...linesIn(block).map(({ line, text }) => `${line} ${text}`));
    })();
  }

  test('gets lines as they come, each once, until the job has ended', async () => {
    follow();
    let offset = 0;
    for (const text of ['zero\n', 'one\ntw', 'o\nthree\nhal', 'f']) {
      await consoles.append(JOB, 1, offset, bytes(text));
      offset += text.length;
    }
    await until('the last whole line', () => lines.length === 4);
    assert.deepEqual(lines, ['0 zero', '1 one', '2 two', '3 three']);
    await consoles.note(JOB, 'why');
    await until('the line of the server', () => lines.length === 6);
    isActive = false;
    consoles.end(JOB);
    await following;
    assert.match(lines.join('\n'), /4 half\n5 why$/);
  });

  test('gets a last line that nothing has ended', async () => {
    follow();
    await consoles.append(JOB, 1, 0, bytes('zero\nhalf'));
    consoles.end(JOB);
    await following;
    assert.deepEqual(lines, ['0 zero', '1 half']);
  });

  test('begins at a line that is not there yet', async () => {
    follow(2);
    await consoles.append(JOB, 1, 0, bytes('zero\none\n'));
    await pause(30);
    await consoles.append(JOB, 1, 9, bytes('two\n'));
    await until('the line', () => lines.length === 1);
    assert.deepEqual(lines, ['2 two']);
    consoles.end(JOB);
    await following;
  });

  test('following a job that is not active reads to the end, and ends', async () => {
    isActive = false;
    await consoles.append(JOB, 1, 0, bytes('zero\nhalf'));
    follow(0);
    await following;
    assert.deepEqual(lines, ['0 zero', '1 half']);
    rmSync(lab.folder(), { recursive: true });
    follow(0);
    await following;
  });

  test('ends when it is not wanted any more, and leaves nothing behind', async () => {
    const controller = aborting();
    follow(0, controller.signal);
    await consoles.append(JOB, 1, 0, bytes('zero\n'));
    await until('the line', () => lines.length === 1);
    controller.abort();
    await following;
    follow(0, AbortSignal.abort());
    await following;
    assert.equal(lines.length, 1);
  });

  test('ends when the server stops', async () => {
    follow();
    await consoles.append(JOB, 1, 0, bytes('zero\n'));
    await consoles.close();
    await following;
    assert.deepEqual(lines, ['0 zero']);
  });

  test('following gives each of many readers the same', async () => {
    const all = Array.from({ length: 20 }, async () => {
      const got: string[] = [];
      for await (const block of consoles.follow(JOB, { from: 0, isActive: () => true })) got.push(block.bytes.toString());
      return got.join('');
    });
    let text = '';
    for (let index = 0; index < 100; index++) {
      const line = `line ${index}\n`;
      await consoles.append(JOB, 1, text.length, bytes(line));
      text += line;
    }
    consoles.end(JOB);
    for (const got of await Promise.all(all)) assert.equal(got, text);
  });
});

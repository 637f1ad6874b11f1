// Archives as the program tar reads them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TAR_END, tarHead, tarTail } from './write.ts';

function archive(files: readonly (readonly [string, Buffer])[]): Buffer {
  const entries = files.flatMap(([path, content]) => [tarHead({ path, bytes: content.length }), content, tarTail(content.length)]);
  return Buffer.concat([...entries, TAR_END]);
}

test('tar unpacks names of every kind and length', () => {
  const files: [string, Buffer][] = [
    ['plain.txt', Buffer.from('plain')],
    ['empty', Buffer.alloc(0)],
    ['block', Buffer.alloc(512, 'b')],
    ['dir with blanks/ä ö 漢字 🚀.txt', Buffer.alloc(513, 'u')],
    [`${'n'.repeat(100)}`, Buffer.from('100')],
    [`${'m'.repeat(101)}`, Buffer.from('101')],
    // Lengths around the one at which the length of a record gets another digit.
    ...[80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 985, 986, 987, 988, 989, 990].map((length): [string, Buffer] => [
      `${'ä/'.repeat(5)}${`${'d'.repeat(60)}/`.repeat(20).slice(0, length)}${length}`,
      Buffer.from(String(length)),
    ]),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tar-'));
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: archive([...files, ['none/', Buffer.alloc(0)]]) });
    for (const [path, content] of files) assert.deepEqual(readFileSync(join(folder, path)), content, path);
    assert.ok(statSync(join(folder, 'none')).isDirectory());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('sizes that ustar cannot say are said by a record', () => {
  const head = tarHead({ path: 'large', bytes: 10 * 1024 ** 3 });
  assert.equal(head.length, 3 * 512);
  assert.match(head.toString('latin1'), /20 size=10737418240\n/);
  assert.equal(tarHead({ path: 'large', bytes: 8 * 1024 ** 3 - 1 }).length, 512);
});

// Tests how it is shown how far something is.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Progress } from './progress.ts';

function shown(isTTY: boolean, columns: number, use: (progress: Progress) => void): string {
  let text = '';
  const write = (chunk: unknown, _: string, done: () => void): void => {
    text += String(chunk);
    done();
  };
  use(new Progress(Object.assign(new Writable({ write }), { isTTY, columns })));
  return text;
}

test('on a terminal one line, with a bar where the whole is known', () => {
  const text = shown(true, 80, (progress) => {
    progress.show('Copying', ': 1 of 4 files', 1, 4);
    progress.show('Copying', ': 9 of 4 files', 9, 4);
    progress.show('Checking');
    progress.end();
  });
  assert.deepEqual(text.split('\r\u001b[2K'), [
    '',
    'Copying [#####---------------]  25 %: 1 of 4 files',
    'Copying [####################] 100 %: 9 of 4 files',
    'Checking',
    '',
  ]);
});

test('it fits the terminal', () => {
  assert.equal(
    shown(true, 12, (progress) => progress.show('Copying everything', '', 1, 2)),
    '\r\u001b[2KCopying eve',
  );
});

test('elsewhere one line for each step, and no bars', () => {
  const text = shown(false, 80, (progress) => {
    progress.show('Copying', ': 1', 1, 4);
    progress.show('Copying', ': 2', 2, 4);
    progress.show('Checking');
    progress.end();
  });
  assert.equal(text, 'Copying\nChecking\n');
});

// Tests how it is shown how far something is.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Progress } from './progress.ts';

function shown(isTTY: boolean, columns: number, use: (progress: Progress, wait: (ms: number) => void) => void): string {
  let text = '';
  const write = (chunk: unknown, _: string, done: () => void): void => {
    text += String(chunk);
    done();
  };
  let now = 0;
  const output = Object.assign(new Writable({ write }), { isTTY, columns });
  use(new Progress(output, () => now), (ms) => (now += ms));
  return text;
}

test('a terminal shows one line, with a bar if the total is known', () => {
  const text = shown(true, 80, (progress, wait) => {
    progress.show('Copying', ': 1 of 4 files', 1, 4);
    progress.show('Copying', ': 2 of 4 files', 2, 4);
    wait(100);
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

test('the line on a terminal is cut to its width', () => {
  assert.equal(
    shown(true, 12, (progress) => progress.show('Copying everything', '', 1, 2)),
    '\r\u001b[2KCopying eve',
  );
});

test('an output that is no terminal gets a line for each step, some in between, and no bars', () => {
  const text = shown(false, 80, (progress, wait) => {
    progress.show('Copying', ': 1 of 4 files', 1, 4);
    wait(9_000);
    progress.show('Copying', ': 2 of 4 files', 2, 4);
    wait(1_000);
    progress.show('Copying', ': 3 of 4 files', 3, 4);
    progress.show('Copying', ': 4 of 4 files', 4, 4);
    progress.show('Waiting');
    wait(60_000);
    progress.show('Waiting', ' (60 s)');
    progress.end();
  });
  assert.equal(text, 'Copying\nCopying: 3 of 4 files\nWaiting\n');
});

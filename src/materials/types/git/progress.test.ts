import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutProgress } from './progress.ts';

test('progress is taken out of complaints, and nothing else', () => {
  const progress = [
    "Cloning into bare repository 'mirror.git'...",
    'remote: Enumerating objects: 9, done.        ',
    'remote: Counting objects:  11% (1/9)        \rremote: Counting objects: 100% (9/9), done.        ',
    'remote: Total 9 (delta 1), reused 0 (delta 0), pack-reused 0        ',
    'Receiving objects:  11% (1/9)\rReceiving objects: 100% (9/9), 1.20 KiB | 1.20 MiB/s, done.',
    'Resolving deltas: 100% (1/1), done.',
  ];
  assert.equal(withoutProgress(progress.join('\n')), '');
  const errorOutput = [
    'remote: error: Could not read 5b',
    'git@git.example.org: Permission denied (publickey).',
    'fatal: the remote end hung up upon initial contact: 5 times',
  ].join('\n');
  assert.equal(withoutProgress(`${progress.join('\n')}\n${errorOutput}`), errorOutput);
  assert.equal(withoutProgress('Receiving objects:  40% (4/9)\rfatal: early EOF\r\n'), 'fatal: early EOF');
});

// Tests which files may be sent to be checked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_FILE_BYTES } from '../../materials/files/limits.ts';
import { MAX_FOLDER_DEPTH, MAX_SENT_FILES, SentFilesReader, sentNameProblem } from './sent-files.ts';

const part = (filename: string | undefined, bytes: Buffer = Buffer.from('x'), name = 'files[]') => ({ name, filename, bytes });

test('paths inside the repository are accepted', () => {
  for (const name of ['a.yaml', 'ci/deep/a b.gocd.yaml', 'ü.json', '.hidden', `${'d/'.repeat(MAX_FOLDER_DEPTH)}a`])
    assert.equal(sentNameProblem(name), undefined, name);
});

test('paths outside the repository, and invalid paths, are refused', () => {
  for (const name of ['', '/etc/passwd', '../a', 'a/../../b', 'a//b', './a', 'a/', '..\\a', 'C:\\a', 'C:a', 'a\nb', 'a\0', '\uFFFD'])
    assert.ok(sentNameProblem(name), JSON.stringify(name));
  assert.match(sentNameProblem(`${'d/'.repeat(MAX_FOLDER_DEPTH + 1)}a`)!, /has 33 folders; at most 32/);
});

test('a file may be sent twice, two different files of one name may not, and other fields do not count', () => {
  const reader = new SentFilesReader();
  for (const one of [part('a'), part('b'), part('a'), part('c', undefined, 'other')]) reader.take(one);
  assert.deepEqual([...reader.files.keys()], ['a', 'b']);
  assert.throws(() => reader.take(part('a', Buffer.from('2'))), {
    kind: 'invalid',
    message: /^The files 1 and 4 in files\[\] are both called "a", and differ\./,
  });
});

test('a part without a readable file name is refused beside others', () => {
  const reader = new SentFilesReader();
  reader.take(part(undefined));
  assert.equal(reader.files.size, 0);
  reader.take(part('a'));
  assert.throws(() => reader.files, { kind: 'invalid', message: 'A part called files[] has no `filename`.' });
  assert.throws(() => reader.take({ ...part(undefined), unreadableName: "x''a" }), { kind: 'invalid', message: /cannot be read.*"x''a"/ });
});

test('too many files, and too large files, are refused', () => {
  const reader = new SentFilesReader();
  for (let count = 0; count < MAX_SENT_FILES; count++) reader.take(part('same'));
  assert.throws(() => reader.take(part('same')), { kind: 'tooLarge', message: 'More than 1000 files were sent in files[].' });
  assert.throws(() => new SentFilesReader().take(part('big', Buffer.alloc(MAX_FILE_BYTES + 1))), {
    kind: 'tooLarge',
    message: /^big has /,
  });
});

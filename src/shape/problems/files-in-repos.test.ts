// Tests how messages name the files in which something is defined.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesText, withFiles } from './files-in-repos.ts';

const fileInRepo = (file: string, repo = 'one') => ({ repo, file });

test('each file is named once, and of very many files only the first', () => {
  assert.equal(filesText([fileInRepo('a'), fileInRepo('a')]), "the file a of the config repo 'one'");
  assert.equal(
    filesText([fileInRepo('a'), fileInRepo('a', 'two')]),
    "the file a of the config repo 'one' and the file a of the config repo 'two'",
  );
  const many = (count: number) => filesText(Array.from({ length: count }, (_, number) => fileInRepo(`f${number}`)));
  assert.match(many(5), /f3 of the config repo 'one' and the file f4 of the config repo 'one'$/);
  assert.match(many(6), /the file f4 of the config repo 'one' and another one$/);
  assert.match(many(1000), /the file f4 of the config repo 'one' and 995 others$/);
});

test('the sentence stands after the message, if there is a place', () => {
  assert.equal(withFiles('It is used', 'Change', []), 'It is used');
  assert.equal(withFiles('It is used', 'Change', [fileInRepo('a')]), "It is used. Change the file a of the config repo 'one'.");
  assert.equal(withFiles('It is used.', 'Change', [fileInRepo('a')]), "It is used. Change the file a of the config repo 'one'.");
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlFolderIn } from './control-folders.ts';

test('names that some file system takes for the folder of git or Mercurial are recognized', () => {
  for (const name of ['.git', '.GIT', '.Git', '.git.', '.git ', '.git . .', 'GIT~1', '.g\u200cit', '.git::$INDEX_ALLOCATION', '.git:x'])
    assert.equal(controlFolderIn(name), '.git', name);
  for (const name of ['.hg', '.HG', 'hg~1']) assert.equal(controlFolderIn(name), '.hg', name);
});

test('similar names are not taken for the folder of git or Mercurial', () => {
  for (const name of ['git', '.gitignore', '.github', '.gitmodules', '.git2', 'x.git', '..git', '.hgignore', 'git~2', '', '.'])
    assert.equal(controlFolderIn(name), undefined, name);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkoutCommit } from './checkout-commit.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-checkout-'));
after(() => rmSync(root, { recursive: true }));
const checkout = join(root, 'checkout');
const git = (folder: string, ...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
const AUTHOR = ['-c', 'user.name=me', '-c', 'user.email=me@example.org'];

test('the commit of a checkout is found, also if its branch is packed, in a worktree, and without a branch', () => {
  assert.equal(checkoutCommit(checkout), undefined);
  git(root, 'init', '--quiet', '--initial-branch', 'main', checkout);
  assert.equal(checkoutCommit(checkout), undefined, 'no commit yet');
  git(checkout, ...AUTHOR, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  const commit = git(checkout, 'rev-parse', 'HEAD');
  assert.equal(checkoutCommit(checkout), commit);

  const worktree = join(root, 'worktree');
  git(checkout, 'worktree', 'add', '--quiet', '-b', 'other', worktree);
  assert.equal(checkoutCommit(worktree), commit);
  git(checkout, 'pack-refs', '--all');
  for (const folder of [checkout, worktree]) assert.equal(checkoutCommit(folder), commit, folder);
  git(checkout, 'checkout', '--quiet', '--detach');
  assert.equal(checkoutCommit(checkout), commit);
  assert.equal(checkoutCommit(root), undefined);
});

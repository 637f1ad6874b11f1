import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressIn } from './messages.ts';

for (const [description, address] of [
  ['URL: https://x.com/a.git, Branch: main', 'https://x.com/a.git'],
  ['URL: https://bob:******@x.com/a, b', 'https://bob:******@x.com/a, b'],
  ['URL: file:///svn/trunk, Username: bob, CheckExternals: true', 'file:///svn/trunk'],
  ['URL: host:1666, View: //depot/a //c/a\n//depot/b //c/b, Username: bob', 'host:1666'],
  ['URL: http://tfs/x, Username: bob, Domain: , ProjectPath: $/a', 'http://tfs/x'],
  ['URL: //files/drop, Pattern: *.zip', '//files/drop'],
  ['SCM: [pull requests]', 'SCM: [pull requests]'],
] as const)
  test(`the address in ${JSON.stringify(description)}`, () => assert.equal(addressIn(description), address));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesWildcard } from './wildcard.ts';

test('stars, question marks, letter case, and characters that mean something elsewhere', () => {
  const yes: [string, string][] = [
    ['*', ''],
    ['*_group', 'my_group'],
    ['Team_?_x', 'team_A_x'],
    ['a.b', 'A.B'],
    ['prod-*-eu', 'prod-web-eu'],
    ['**', 'x'],
    ['(a)', '(a)'],
  ];
  const no: [string, string][] = [
    ['Team_?_x', 'Team_AB_x'],
    ['a.b', 'axb'],
    ['', 'x'],
    ['prod', 'production'],
    ['?', ''],
  ];
  for (const [pattern, name] of yes) assert.ok(matchesWildcard(pattern, name), `${pattern} ${name}`);
  for (const [pattern, name] of no) assert.ok(!matchesWildcard(pattern, name), `${pattern} ${name}`);
});

test('a hostile pattern does not take long', () => {
  assert.ok(!matchesWildcard('*'.repeat(200), 'x'.repeat(200)) === false);
  assert.ok(!matchesWildcard('*a*a*a*a*', 'b'.repeat(2000)));
});

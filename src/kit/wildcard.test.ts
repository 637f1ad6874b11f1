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
    ['É?*', 'é😀'],
    ['ΑΣ*', 'ας'],
    ['*STRAẞE', 'Hauptstraße'],
  ];
  const no: [string, string][] = [
    ['Team_?_x', 'Team_AB_x'],
    ['a.b', 'axb'],
    ['', 'x'],
    ['prod', 'production'],
    ['?', ''],
    ['é?', 'é😀😀'],
    ['i', 'ı'],
  ];
  for (const [pattern, name] of yes) assert.ok(matchesWildcard(pattern, name), `${pattern} ${name}`);
  for (const [pattern, name] of no) assert.ok(!matchesWildcard(pattern, name), `${pattern} ${name}`);
});

test('a hostile pattern or name does not take long', () => {
  const startedAt = performance.now();
  assert.ok(matchesWildcard('*'.repeat(200), 'x'.repeat(200)));
  assert.ok(!matchesWildcard('*a*a*a*a*', 'b'.repeat(2000)));
  assert.ok(!matchesWildcard(`${'*a'.repeat(100)}b`, 'a'.repeat(250)));
  assert.ok(!matchesWildcard(`${'*é'.repeat(100)}b`, 'é'.repeat(250)));
  assert.ok(!matchesWildcard(`*${'a'.repeat(500_000)}b`, 'a'.repeat(1_000_000)));
  assert.ok(matchesWildcard('*', 'a'.repeat(1_000_000)));
  assert.ok(performance.now() - startedAt < 5_000);
});

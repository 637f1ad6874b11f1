import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../test/support/patience.ts';
import { matchesWildcard } from './wildcard.ts';

test('a pattern may have stars and question marks, ignores letter case, and has no other special characters', () => {
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

test('a hostile pattern or name does not take long', async () => {
  const fits = (pattern: string, name: string) => assert.ok(matchesWildcard(pattern, name));
  const differs = (pattern: string, name: string) => assert.ok(!matchesWildcard(pattern, name));
  fits('*'.repeat(200), 'x'.repeat(200));
  await assertLinear('none of many', (length) => differs('*a*a*a*a*', 'b'.repeat(length)), 2000);
  await assertLinear('many stars', (length) => differs(`${'*a'.repeat(100)}b`, 'a'.repeat(length)), 10_000);
  await assertLinear('many stars beyond ASCII', (length) => differs(`${'*é'.repeat(100)}b`, 'é'.repeat(length)), 10_000);
  await assertLinear('half of the name', (length) => differs(`*${'a'.repeat(length / 2)}b`, 'a'.repeat(length)), 1_000_000);
  await assertLinear('any name', (length) => fits('*', 'a'.repeat(length)), 1_000_000);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skeletonOf } from './look-alikes.ts';

describe('names that look the same', () => {
  const pairs: readonly (readonly [string, string, what: string])[] = [
    ['admin', '\u0430dmin', 'a Cyrillic a'],
    ['cop', '\u0441\u043e\u0440', 'Cyrillic letters alone'],
    ['BOB', '\u0412\u041e\u0412', 'Cyrillic capitals'],
    ['bob', 'BOB', 'letter case'],
    ['olivia', '\u03bflivia', 'a Greek omicron'],
    ['KATE', '\u039a\u0391\u03a4\u0395', 'Greek capitals'],
    ['cat', '\u03f2at', 'a lunate sigma'],
    ['admin', '\uff41\uff44\uff4d\uff49\uff4e', 'full-width letters'],
    ['admin', '\u{1d41a}\u{1d41d}\u{1d426}\u{1d422}\u{1d427}', 'mathematical letters'],
    ['zoë', 'zoe\u0308', 'an accent of its own'],
    ['zo\u00eb', 'z\u043e\u0451', 'Cyrillic letters with accents'],
    ['john smith', 'john  smith', 'two blanks'],
    ['office', 'o\ufb03ce', 'a ligature'],
  ];
  for (const [one, other, what] of pairs) {
    test(`names look the same: ${what}`, () => assert.equal(skeletonOf(one), skeletonOf(other)));
  }
});

describe('names that do not', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['user1', 'userl'],
    ['ops', 'dev'],
    ['zoe', 'zoë'],
    ['Иван', 'Ivan'],
    ['a b', 'ab'],
  ];
  for (const [one, other] of pairs)
    test(`names look different: ${one}, ${other}`, () => assert.notEqual(skeletonOf(one), skeletonOf(other)));
});

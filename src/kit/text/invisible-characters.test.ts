import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { escapeInvisible, hasInvisibleCharacter } from './invisible-characters.ts';

const UNSEEN: Readonly<Record<string, string>> = {
  'a line feed': '\n',
  NUL: '\0',
  'a C1 control': '\u0085',
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a byte order mark': '\ufeff',
  'a right-to-left override': '\u202e',
  'an isolate': '\u2066',
  'a soft hyphen': '\u00ad',
  'a combining grapheme joiner': '\u034f',
  'a Hangul filler': '\u3164',
  'a variation selector': '\ufe0f',
  'a tag character': '\u{e0041}',
  'a line separator': '\u2028',
  'a no-break space': '\u00a0',
  'an ideographic space': '\u3000',
  'a blank Braille pattern': '\u2800',
  'half of a pair': '\ud800',
  'a private character': '\ue000',
};

describe('invisible characters', () => {
  for (const [what, character] of Object.entries(UNSEEN)) {
    test(`an invisible character is found: ${what}`, () => {
      assert.ok(hasInvisibleCharacter(`ad${character}min`));
      assert.match(escapeInvisible(`ad${character}min`), /^ad\\u\{[0-9a-f]{4,5}\}min$/);
    });
  }

  for (const name of ['admin', 'Zoë', 'zoe\u0308', 'Jürgen von Öst', 'Иван', '李雷', 'มานี', 'a.b-c_d@example.org', 'DOMAIN\\user', '🚢']) {
    test(`no invisible characters are found in ${name}`, () => {
      assert.ok(!hasInvisibleCharacter(name));
      assert.equal(escapeInvisible(name), name);
    });
  }
});

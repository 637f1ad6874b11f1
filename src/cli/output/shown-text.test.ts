// Tests texts of others: nothing in them reaches the terminal as an order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colouredLines, shownText, shownWithColours } from './shown-text.ts';

test('characters that move the cursor, or turn the order of letters, are spelled out', () => {
  assert.equal(shownText('a\u001b[2Jb\rc\u009b1A\u202ed\u2028'), 'a\\u{001b}[2Jb\\u{000d}c\\u{009b}1A\\u{202e}d\\u{2028}');
});

test('text without control characters stays as it is', () => {
  const plain = "line one\n\tline 'two' – ünï 日本 👩‍👩‍👧";
  assert.equal(shownText(plain), plain);
});

test('the output of a program keeps only its colours, which end with their line', () => {
  assert.equal(colouredLines('\u001b[31mred\nplain\tword'), '\u001b[31mred\u001b[0m\nplain\tword');
  assert.equal(colouredLines('\u001b]0;title\u0007a\u001b[2J\u001b[1;32mb\u001b[8D\rc\u009b1A'), 'a\u001b[1;32mbc\u001b[0m');
});

test('text of a command keeps its colours, which end with their line', () => {
  assert.equal(
    shownWithColours('\u001b[31mred\u001b[39m \u001b[2Ja\n\u001b[8mb'),
    '\u001b[31mred\u001b[39m \\u{001b}[2Ja\u001b[0m\n\u001b[8mb\u001b[0m',
  );
  assert.equal(shownWithColours('plain\u009b2J\n'), 'plain\\u{009b}2J\n');
});

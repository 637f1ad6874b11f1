import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Mask, masked, SecretPatterns } from './mask.ts';
import { spellingsOf } from './secrets.ts';

/** Writes the pieces one after the other; returns the output after each. */
function through(secrets: readonly string[], pieces: readonly string[]): readonly string[] {
  const mask = new Mask(new SecretPatterns(secrets));
  return [...pieces.map((piece) => mask.write(Buffer.from(piece)).toString()), mask.end().toString()];
}

describe('secrets become stars', () => {
  for (const [name, secrets, pieces, expected] of [
    ['in the middle of a text', ['tiger'], ['a tiger b'], ['a ****** b', '']],
    ['twice in a row', ['tiger'], ['tigertiger'], ['************', '']],
    ['across a border of pieces', ['tiger'], ['a ti', 'ger b'], ['a ', '****** b', '']],
    ['byte by byte', ['abc'], ['a', 'b', 'c', 'd'], ['', '', '******', 'd', '']],
    ['but a text that only begins like one is not', ['tiger'], ['a ti', 'me'], ['a ', 'time', '']],
    ['but an end that only begins like one is not', ['tiger'], ['a tig'], ['a ', 'tig']],
    ['the longer of two with one beginning', ['tiger', 'tigerlily'], ['tiger', 'lily'], ['', '******', '']],
    ['the shorter of two, when the rest of the longer one does not come', ['tiger', 'tigerlily'], ['tiger', 'cub'], ['', '******cub', '']],
    ['two that overlap, together', ['abc', 'bcd'], ['xabcdx'], ['x******x', '']],
    ['two that overlap across a border, together', ['abc', 'bcd'], ['xab', 'c', 'dx'], ['x', '******', 'x', '']],
    ['one of a single byte', ['x'], ['axb', 'x'], ['a******b', '******', '']],
    ['none, if there are none', [], ['anything'], ['anything', '']],
    ['one beyond ASCII', ['pässwörd'], ['pässw', 'örd!'], ['', '******!', '']],
  ] as const) {
    test(`secrets are masked: ${name}`, () => assert.deepEqual(through(secrets, pieces), expected));
  }

  test('an endless repetition is not held back for ever', () => {
    const written = through(
      ['aaaa'],
      Array.from({ length: 1000 }, () => 'aaa'),
    );
    assert.equal(written.join(''), '******');
    assert.equal(written[1], '******');
  });

  test('wherever the output is cut, the same comes out, and no secret with it', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '\n'), { maxLength: 60 }).map((all) => all.join(''));
    const secrets = fc.array(
      fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 7 }).map((all) => all.join('')),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(text, secrets, fc.array(fc.nat(60), { maxLength: 8 }), (whole, some, cuts) => {
        const borders = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((one, other) => one - other), whole.length];
        const pieces = borders.slice(1).map((border, index) => whole.slice(borders[index], border));
        const written = through(some, pieces).join('');
        assert.equal(written, masked(new SecretPatterns(some), whole));
        for (const secret of some) assert.ok(!written.includes(secret));
      }),
    );
  });
});

describe('the spellings of a secret', () => {
  test('a short secret has no spelling but itself', () => assert.deepEqual(spellingsOf('abc'), ['abc']));

  test('a blank secret has no spellings', () => assert.deepEqual([spellingsOf(''), spellingsOf(' \n ')], [[], []]));

  test('each long enough line of a secret with several lines is a spelling', () => {
    const spellings = spellingsOf('first line\r\nab\nthird\n');
    for (const one of ['first line\nab\nthird\n', 'first line\nab\nthird', 'first line', 'third']) assert.ok(spellings.includes(one), one);
    assert.ok(!spellings.includes('ab'), 'too short');
  });

  test('a secret is masked without the blanks around it, as a shell prints an unquoted variable', () => {
    const shown = (secret: string, text: string) => masked(new SecretPatterns(spellingsOf(secret)), text);
    assert.equal(shown('  pass word\n', 'it is pass word'), 'it is ******');
    assert.equal(shown('{\n  "key": "open sesame"\n}', '"key": "open sesame"'), '******');
  });

  test('a secret is masked as shells, XML and encoders of addresses spell it', () => {
    const patterns = new SecretPatterns(spellingsOf('it\'s <a> & "b" (c)'));
    for (const one of [
      `'it'\\''s <a> & "b" (c)'`,
      `'it'"'"'s <a> & "b" (c)'`,
      "it's &lt;a&gt; &amp; &quot;b&quot; (c)",
      "it's%20%3Ca%3E%20%26%20%22b%22%20(c)",
      'it%27s%20%3Ca%3E%20%26%20%22b%22%20%28c%29',
      'it%27s%20%3ca%3e%20%26%20%22b%22%20%28c%29',
      'it%27s+%3Ca%3E+%26+%22b%22+%28c%29',
    ])
      assert.match(masked(patterns, one), /^'?\*{6}'?$/, one);
  });

  test('the spellings include those in an address, in JSON and in base64', () => {
    const secret = 'a b/"c"?';
    for (const one of ['a%20b%2F%22c%22%3F', 'a b/\\"c\\"?', Buffer.from(secret).toString('base64').replace(/=+$/, '')])
      assert.ok(spellingsOf(secret).includes(one), one);
  });

  test('a secret is masked in base64 of a longer text, wherever it stands in the text', () => {
    const [secret, bytes] = ['s3cret/pä??w>rd', (text: string, encoding: 'base64' | 'base64url') => Buffer.from(text).toString(encoding)];
    const patterns = new SecretPatterns(spellingsOf(secret));
    for (const before of ['', 'a', 'ab', 'abc', 'user:', 'x'.repeat(100)])
      for (const after of ['', '\n', '--', ' and more'])
        for (const encoding of ['base64', 'base64url'] as const) {
          const shown = masked(patterns, bytes(`${before}${secret}${after}`, encoding));
          assert.ok(shown.includes('******'), `${before}…${after}`);
          // Less than two characters of the secret are left at each end beside the stars.
          const decoded = shown.split('******').map((part) => Buffer.from(part, encoding).toString());
          for (const piece of [secret.slice(0, 3), secret.slice(3, 6), secret.slice(-3)])
            assert.ok(!decoded.some((part) => part.includes(piece)), `${piece} in ${shown}`);
        }
  });

  test('a very short secret has no spellings within base64, which could be part of anything', () => {
    const shifted = (secret: string) => Buffer.from(`a${secret}`).toString('base64').slice(2, 8);
    assert.ok(!spellingsOf('secret1').some((one) => one.includes(shifted('secret1'))));
    assert.ok(spellingsOf('secret12').some((one) => one.includes(shifted('secret12'))));
  });
});

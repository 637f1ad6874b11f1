// Tests that long sections reach the parser in parts, and that the document stays the same, wherever it is cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XmlStream } from './stream-xml.ts';

const LIMITS = { maxDepth: 10, maxTagLength: 1000, maxValueLength: 1000 };

/** The text of the document after each piece, and the problem. */
function read(pieces: readonly string[]): { readonly texts: readonly string[]; readonly problem: string | undefined } {
  let text = '';
  const handler = { wantsText: true, open: () => {}, close: () => {}, text: (piece: string) => void (text += piece) };
  const stream = new XmlStream(handler, LIMITS);
  const texts: string[] = [];
  for (const piece of pieces) {
    const problem = stream.write(piece);
    texts.push(text);
    if (problem !== undefined) return { texts, problem };
  }
  const problem = stream.end();
  return { texts: [...texts, text], problem };
}

test('the parser keeps no more than a few pieces of a section without an end', () => {
  const piece = ']]'.repeat(10_000);
  const { texts } = read(['<a><![CDATA[', ...Array.from({ length: 10 }, () => piece)]);
  assert.deepEqual(
    texts.map(({ length }) => length),
    [0, ...Array.from({ length: 10 }, (_, index) => (index + 1) * piece.length - 2), 10 * piece.length - 2],
  );
});

test('a document reads the same wherever it is cut', () => {
  const filled = (begin: string, end: string, ...parts: readonly string[]) =>
    fc
      .tuple(fc.array(fc.constantFrom(...parts), { maxLength: 5 }), fc.constantFrom(1, 3000, 7000))
      .map(([all, times]) => `${begin}${all.join('').repeat(times)}${end}`);
  const section = fc.oneof(
    filled('<![CDATA[', ']]>', ']', ']] ', '<', '<!--', 'x', ' >', '\n'),
    filled('<!--', 'x-->', '- ', 'x', '<![CDATA[', ']]>', '>', '?>'),
    filled('<?name ', '?>', '? ', 'x', '<', ']]>', '-->'),
    filled('', '', 'x', '\n', '<b c="]]>"/>', '&lt;'),
  );
  const document = fc.array(section, { maxLength: 6 }).map((all) => `<?xml version="1.0" encoding="UTF-8"?><a>${all.join('')}</a>`);
  fc.assert(
    fc.property(document, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }), (whole, cuts) => {
      const borders = [0, ...cuts.map((cut) => Math.floor(cut * whole.length)).toSorted((one, other) => one - other), whole.length];
      const { texts, problem } = read(borders.slice(1).map((border, index) => whole.slice(borders[index], border)));
      const expected = read([whole]);
      assert.equal(problem, undefined);
      assert.equal(expected.problem, undefined);
      assert.equal(texts.at(-1), expected.texts.at(-1));
    }),
    { numRuns: 200 },
  );
});

test('markup that is cut in any place is recognized', () => {
  const whole = '<?xml version="1.0"?><!-- a - b --><a>x<![CDATA[y]]]>z<!--c--><?d e?>&amp;</a>';
  for (let cut = 1; cut < whole.length; cut++) {
    const { texts, problem } = read([whole.slice(0, cut), whole.slice(cut)]);
    assert.deepEqual([texts.at(-1), problem], ['xy]z&', undefined], whole.slice(0, cut));
  }
});

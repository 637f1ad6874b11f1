// Reports that are none, or that want to harm: each ends with a sentence, soon, and within limits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { MAX_FILE_BYTES, MAX_MESSAGE, MAX_NAME, MAX_TESTS, MAX_TRACE } from '../../src/test-reports/limits.ts';
import { readReport, TOO_LARGE } from '../../src/test-reports/read-report.ts';
import { assertInPieces, assertLinear } from '../support/patience.ts';
import { readBytes, readPieces } from './reading.ts';

const MB = 1024 * 1024;
/** Work that is done anew for each piece shows by the number of pieces: with small ones a document of some megabytes has hundreds. */
const SMALL_PIECE = 8 * 1024;

async function* repeated(start: string, piece: string, times: number, end = ''): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const bytes = Buffer.from(piece);
  for (let index = 0; index < times; index++) yield bytes;
  yield Buffer.from(end);
}

describe('files that are no report', () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('\n');
  const DOCTYPE = 'A document type (DOCTYPE) is not accepted, nor are entities declared in one.';
  const cases: Readonly<Record<string, readonly [bytes: string | Buffer, problem: string]>> = {
    nothing: ['', 'The file is empty.'],
    blanks: [' \n', 'There is no element in the document. (line 2)'],
    text: ['no xml\n', 'Text data outside of root node. (line 2)'],
    'a page': ['<html><body>503</body></html>', '<html> is not the root of a test report.'],
    'bytes of gzip': [gzipSync('<testsuite/>'), 'The file is compressed. Only plain XML is read.'],
    'bytes of a zip': [Buffer.from('PK\u0003\u0004rest'), 'The file is compressed. Only plain XML is read.'],
    zeros: [Buffer.alloc(10_000), 'Disallowed character. (line 1)'],
    'billion laughs': [
      `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]>\n<testsuite>&l9;</testsuite>`,
      `${DOCTYPE} (line 10)`,
    ],
    'a file of this machine': [
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
      `${DOCTYPE} (line 1)`,
    ],
    'an entity of its own': [
      '<testsuite>\n<testcase name="&x;"/></testsuite>',
      'Undefined entity: only &amp;, &lt;, &gt;, &quot;, &apos; and numbers are known. (line 2)',
    ],
    'deep nesting': ['<testsuite>'.repeat(100_000), 'Elements are nested more than 100 deep. (line 1)'],
    'UTF-32': [Buffer.from([0, 0, 0, 0x3c, 0, 0, 0, 0x61]), 'Disallowed character. (line 1)'],
  };
  for (const [title, [bytes, problem]] of Object.entries(cases))
    test(`a file that is no report is refused: ${title}`, async () => assert.deepEqual(await readBytes(bytes), { results: [], problem }));
});

describe('texts that are too long', () => {
  test('an attribute of 200 MB is given up early', async () => {
    let read = 0;
    const pieces = (async function* () {
      for await (const piece of repeated('<testsuite><testcase name="', 'x'.repeat(MB), 200)) {
        read += piece.length;
        yield piece;
      }
    })();
    const { problem, results } = await readPieces(pieces);
    assert.deepEqual([problem, results], ['A tag is longer than 1048576 characters. (line 1)', []]);
    assert.ok(read < 4 * MB, `${read} bytes were read`);
  });

  test('many attributes together are given up early', async () => {
    const attributes = Array.from({ length: 200_000 }, (_, index) => `x${index}="1"`).join(' ');
    assert.equal((await readBytes(`<testsuite ${attributes}/>`)).problem, 'A tag has more than 1000 attributes. (line 1)');
  });

  test('a file is read no further than its limit, and results found before are kept', async () => {
    const times = MAX_FILE_BYTES / MB + 10;
    // Of all characters these have the most bytes, so the fewest are read.
    const piece = '😀'.repeat(MB / 4);
    const { problem, results } = await readPieces(repeated('<testsuite><testcase name="a"/><system-out>', piece, times));
    assert.deepEqual([problem, results.length], [TOO_LARGE, 1]);
  });

  test('names, messages and traces are cut, and names stay apart', async () => {
    const long = 'ü'.repeat(20_000);
    const one = (name: string) =>
      `<testcase classname="${long}" name="${long}${name}"><failure message="${long}">${long}</failure></testcase>`;
    const { results } = await readBytes(`<testsuite>${one('a')}${one('b')}</testsuite>`);
    const [a, b] = results as [(typeof results)[number], (typeof results)[number]];
    for (const [text, maxBytes] of [
      [a.name, MAX_NAME],
      [a.class, MAX_NAME],
      [a.message!, MAX_MESSAGE],
      [a.trace!, MAX_TRACE],
    ] as const) {
      assert.ok(
        Buffer.byteLength(text) <= maxBytes && Buffer.byteLength(text) > maxBytes - 10,
        `${Buffer.byteLength(text)} of ${maxBytes}`,
      );
      assert.ok(text.isWellFormed() && text.includes('…') && !text.includes('\uFFFD'));
    }
    assert.notEqual(a.name, b.name);
    assert.equal(a.class, b.class);
  });
});

describe('a report that is cut off', () => {
  test('a report that is cut off gives the tests before the cut', async () => {
    const { problem, results } = await readBytes('<testsuite>\n<testcase name="a"/>\n<testcase name="b"><failure mess');
    assert.deepEqual([problem, results.map(({ name }) => name)], ['The document ends too early. (line 3)', ['a']]);
  });

  test('a report that is cut off does not give the test that it ends in', async () => {
    assert.deepEqual((await readBytes('<testsuite><testcase name="a">')).results, []);
    assert.deepEqual((await readBytes('<test-run><test-case name="a" result="Passed">')).results, []);
  });

  test('a report of TRX that is cut off gives tests whose classes were not reached', async () => {
    const { results } = await readBytes('<TestRun><Results><UnitTestResult testName="a" testId="1" outcome="Passed"/>');
    assert.deepEqual(
      results.map(({ name, result }) => [name, result]),
      [['a', 'passed']],
    );
  });
});

test('a report is read no further than the limit of tests', async () => {
  let taken = 0;
  let read = 0;
  const pieces = (async function* () {
    for await (const piece of repeated('<testsuite>', '<testcase name="a"/>'.repeat(1000), 1000)) {
      read++;
      yield piece;
    }
  })();
  const problem = await readReport(pieces, async (results) => {
    taken += results.length;
    return taken < 3000;
  });
  assert.equal(problem, undefined);
  assert.ok(taken >= 3000 && taken < 10_000 && read < 12, `${taken} tests of ${read} pieces`);
});

test('a report of TRX keeps no more tests until its end than a job may have', async () => {
  const { results } = await readPieces(
    repeated('<TestRun><Results>', '<UnitTestResult outcome="Passed"/>'.repeat(1000), 60, '</Results></TestRun>'),
  );
  assert.equal(results.length, MAX_TESTS + 1);
});

test('a large report is read in pieces, so that nothing else waits for it', async () => {
  const one = `<testcase name="a" classname="b" time="0.1"><failure message="m">${'at x\n'.repeat(50)}</failure></testcase>\n`.repeat(1000);
  await assertInPieces('a report of 8 MB', () =>
    readPieces(repeated('<testsuite>', one, Math.floor((8 * MB) / one.length), '</testsuite>')),
  );
});

test('hostile reports take no longer than their length', async () => {
  const hostile: Readonly<Record<string, readonly [largest: number, document: (size: number) => string]>> = {
    'text in many pieces': [
      160_000,
      (size) => `<testsuite><testcase><failure>${'&amp;<!---->'.repeat(size)}</failure></testcase></testsuite>`,
    ],
    'one long section': [
      1_000_000,
      (size) => `<testsuite><testcase><failure><![CDATA[${'x]'.repeat(size / 2)}]]></failure></testcase></testsuite>`,
    ],
    'an unclosed comment': [1_000_000, (size) => `<testsuite><!--${'x-'.repeat(size / 2)}`],
    'an unclosed document type': [400_000, (size) => `<!DOCTYPE a [${'<!ENTITY x "y">'.repeat(size / 15)}`],
    'many suites': [120_000, (size) => `<testsuites>${'<testsuite name="a"></testsuite>'.repeat(size)}</testsuites>`],
    'many failures of one test': [120_000, (size) => `<testsuite><testcase>${'<failure>x</failure>'.repeat(size)}</testcase></testsuite>`],
  };
  for (const [what, [largest, document]] of Object.entries(hostile))
    await assertLinear(what, (size) => readBytes(document(size), SMALL_PIECE), largest);
});

test('the reader comes to an end without throwing, with any bytes', async () => {
  const words = [
    '<testsuites>',
    '<testsuite name="a">',
    '<testcase name="a" time="1">',
    '<failure message="m">',
    '<skipped/>',
    '</failure>',
    '</testcase>',
    '</testsuite>',
  ];
  const more = [
    '<TestRun>',
    '<UnitTestResult outcome="Failed">',
    '<ErrorInfo>',
    '<Message>',
    '</Message>',
    '</UnitTestResult>',
    '<test-run>',
    '<test-case>',
    '</test-case>',
  ];
  const signs = [
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '&amp;',
    '&x;',
    '&',
    '<',
    '>',
    '"',
    '\r',
    '\n',
    '\uD83D\uDE00',
    '\u0000',
    '<?xml version="1.1"?>',
    '<!DOCTYPE a>',
    ':',
    'x',
  ];
  const text = fc.array(fc.constantFrom(...words, ...more, ...signs), { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));
  const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some));
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, bytes), fc.integer({ min: 1, max: 50 }), async (document, size) => {
      const { results, problem } = await readBytes(document, size);
      assert.ok(problem !== undefined || results.length >= 0);
      assert.deepEqual(await readBytes(document), { results, problem });
    }),
    { numRuns: 1000 },
  );
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLinear } from '../../../test/support/patience.ts';
import { readXml } from './read-xml.ts';
import type { XmlElement } from './tree.ts';

function problemOf(input: string | Uint8Array): string {
  const { root, problems } = readXml(input);
  assert.equal(root, undefined);
  assert.equal(problems.length, 1);
  const [{ line, column, message }] = problems as [(typeof problems)[number]];
  return `${line}:${column} ${message}`;
}

/** Elements as [name, line, column, ...children]. */
function outline({ name, line, column, children }: XmlElement): unknown[] {
  return [name, line, column, ...children.map((child) => (typeof child === 'string' ? child : outline(child)))];
}

describe('well-formed documents', () => {
  test('elements have their places, blanks between them and comments are gone', () => {
    const { root, problems } = readXml('<?xml version="1.0"?>\n<!-- c --><a>\r\n  <b\n x="1"><c/> </b>\n\t<d> t<!-- c -->u </d>\n</a>\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(outline(root!), ['a', 2, 11, ['b', 3, 3, ['c', 4, 8]], ['d', 5, 2, ' tu ']]);
  });

  test('text comes whole: references, sections and line breaks', () => {
    const { root } = readXml('<a>\r\n&lt;&#x41;&#13;<![CDATA[<b>&amp;]]>]] &gt;\r</a>');
    assert.deepEqual(root!.children, ['\n<A\r<b>&amp;]] >\n']);
  });

  test('blanks alone are text where there is no element', () => {
    assert.deepEqual(readXml('<a> \n </a>').root!.children, [' \n ']);
    assert.deepEqual(readXml('<a><![CDATA[]]></a>').root!.children, ['']);
  });

  test('line breaks in attributes are blanks, unless written as references', () => {
    assert.deepEqual(
      [...readXml('<a x="1\n2\t3&#10;4&quot;" y=\'"\'/>').root!.attributes],
      [
        ['x', '1 2 3\n4"'],
        ['y', '"'],
      ],
    );
  });

  test('instructions inside the root are kept, as elements with a question mark', () => {
    const { root } = readXml('<?x y?><a><?app {"b": 1}?></a>');
    assert.deepEqual(outline(root!), ['a', 1, 8, ['?app', 1, 11, '{"b": 1}']]);
  });

  test('names that mean something to JavaScript are names', () => {
    const { root } = readXml('<a __proto__="x" constructor="y"/>');
    assert.deepEqual([...root!.attributes.keys()], ['__proto__', 'constructor']);
  });

  test('a byte order mark is no text', () => {
    assert.equal(readXml('\uFEFF<a/>').root!.name, 'a');
    assert.equal(readXml(Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-8"?><a>ü</a>')).root!.children[0], 'ü');
    assert.equal(readXml('<?xml version="1.0" encoding="utf8"?><a/>').root!.name, 'a');
  });
});

describe('input that is refused, and the place of the mistake', () => {
  const cases: readonly (readonly [title: string, input: string | Uint8Array, problem: string])[] = [
    ['nothing', '', '1:1 There is no element in the document.'],
    ['only blanks', ' \n', '1:2 There is no element in the document.'],
    ['text', 'no xml', '1:7 Text data outside of root node.'],
    ['a document that ends too early', '<a>\n  <b>text', '2:9 The document ends too early: <b> in line 2 is not closed.'],
    ['a document that ends in a tag', '<a>\n  <b x="', '2:8 The document ends too early: <b> in line 2 is not closed.'],
    [
      'a document that ends after an ampersand',
      '<a><!-- & --><![CDATA[&]]>&amp;',
      '1:31 The document ends too early: <a> in line 1 is not closed.',
    ],
    ['a document that ends in a comment', '<a/><!-- x', '1:10 The document ends too early.'],
    ['tags that do not match', '<a>\n<b>\n</a>', '3:4 The closing tag is not that of <b> in line 2.'],
    ['one closing tag too many', '<a/>\n</b>', '2:4 Unmatched closing tag: b.'],
    ['two roots', '<a/><b/>', '1:7 Documents may contain only one root.'],
    ['an attribute twice', '<a x="1" x="2"/>', '1:16 Duplicate attribute: x.'],
    ['an attribute without quotes', '<a x=1/>', '1:6 Unquoted attribute value.'],
    ['a bare ampersand', '<a>\n a & b</a>', '2:4 An ampersand is written as &amp;.'],
    ['a bare ampersand in an attribute', '<a>\n<b x="?a=1&b=2"/>&lt;</a>', '2:11 An ampersand is written as &amp;.'],
    ['an entity of its own', '<a>&nbsp;</a>', '1:9 Undefined entity: only &amp;, &lt;, &gt;, &quot;, &apos; and numbers are known.'],
    ['a control character', '<a>\u0001</a>', '1:4 Disallowed character.'],
    ['a reference to a control character', '<a>&#1;</a>', '1:7 Malformed character entity.'],
    ['half a pair of surrogates', '<a>\uD800</a>', '1:4 Disallowed character.'],
    ['a control character under XML 1.1', '<?xml version="1.1"?><a>&#1;</a>', '1:28 Malformed character entity.'],
    ['elements too deep', '<a>'.repeat(65), '1:195 Elements are nested more than 64 deep.'],
    [
      'another encoding by name',
      '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
      '1:43 The document is in the encoding ISO-8859-1. Only UTF-8 is accepted.',
    ],
    [
      'bytes in another encoding by name',
      Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>ü</a>', 'latin1'),
      '1:1 The document is in the encoding windows-1252. Only UTF-8 is accepted.',
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from('<a>\n\n  <ü/></a>', 'latin1'),
      '3:4 There are bytes that are not UTF-8. Only UTF-8 is accepted.',
    ],
    ['UTF-16 with a mark', Buffer.from('\uFEFF<a/>', 'utf16le'), '1:1 The document is in the encoding UTF-16. Only UTF-8 is accepted.'],
    ['UTF-16 without a mark', Buffer.from('<a/>', 'utf16le'), '1:1 The document is in the encoding UTF-16. Only UTF-8 is accepted.'],
    [
      'UTF-16 of the other byte order',
      Buffer.from('\uFEFF<a/>', 'utf16le').swap16(),
      '1:1 The document is in the encoding UTF-16. Only UTF-8 is accepted.',
    ],
    ['UTF-32', Buffer.from([0, 0, 0, 0x3c, 0, 0, 0, 0x61]), '1:1 The document is in the encoding UTF-32. Only UTF-8 is accepted.'],
  ];
  for (const [title, input, problem] of cases) test(`XML is refused: ${title}`, () => assert.equal(problemOf(input), problem));

  const DOCTYPE = 'A document type (DOCTYPE) is not accepted, nor are entities declared in one.';
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('\n');
  const types: readonly (readonly [title: string, declaration: string])[] = [
    ['an empty document type', '<!DOCTYPE a>'],
    ['an external document type', '<!DOCTYPE a SYSTEM "http://localhost:1/a.dtd">'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://localhost:1/"> %x;]>'],
    ['a billion laughs', `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]>`],
  ];
  for (const [title, declaration] of types)
    test(`XML is refused: ${title}`, () =>
      assert.equal(problemOf(`<?xml version="1.0"?>\n${declaration}\n<a>&x;&l9;</a>`), `2:1 ${DOCTYPE}`));
});

test('hostile documents do not take long', async () => {
  const hostile: Readonly<Record<string, readonly [largest: number, document: (size: number) => string]>> = {
    'deep elements': [3_000_000, (size) => '<a>'.repeat(size)],
    'many attributes': [50_000, (size) => `<a ${Array.from({ length: size }, (_, n) => `x${n}="1"`).join(' ')}/>`],
    'many references': [500_000, (size) => `<a>${'&amp;'.repeat(size)}</a>`],
    'many comments': [200_000, (size) => `<a>${'<!---->t'.repeat(size)}</a>`],
    'many declarations': [50_000, (size) => `<!DOCTYPE a [${'<!ENTITY x "y">'.repeat(size)}`],
  };
  for (const [what, [largest, document]] of Object.entries(hostile)) await assertLinear(what, (size) => readXml(document(size)), largest);
});

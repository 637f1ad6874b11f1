// Tests that any written text can be read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/configuration/xml-text.ts';
import { readXml } from './read-xml.ts';
import { withMarks, withoutMarks } from './unwritable.ts';
import { attributeText, elementText, instructionText, leafText, literalLeafText } from './write-xml.ts';

test('elements stand on lines of their own, empty ones are closed at once', () => {
  const inside = leafText('  ', 'b', attributeText('x', '1'), 'text') + leafText('  ', 'c', '', '');
  const text = elementText('', 'a', '', inside + instructionText('  ', 'app', 'do'));
  assert.equal(text, '<a>\n  <b x="1">text</b>\n  <c />\n  <?app do?>\n</a>\n');
});

test('characters with a meaning in XML are written as references', () => {
  assert.equal(leafText('', 'a', '', '<&>"\'\r\n\t'), '<a>&lt;&amp;&gt;"\'&#xD;\n\t</a>\n');
  assert.equal(attributeText('x', '<&>"\'\r\n\t'), ' x="&lt;&amp;&gt;&quot;\'&#xD;&#xA;&#x9;"');
  assert.equal(literalLeafText('', 'a', '<&>\n'), '<a><![CDATA[<&>\n]]></a>\n');
  assert.equal(literalLeafText('', 'a', 'x]]>\r'), '<a><![CDATA[x]]]]><![CDATA[>]]>&#xD;<![CDATA[]]></a>\n');
});

test('characters that cannot stand in XML have marks instead, and so has the mark', () => {
  assert.equal(withMarks('a\u0000\u001F\uFFFE\uD800b\uDC00'), 'a␛0000␛001f␛fffe␛d800b␛dc00');
  assert.equal(withMarks('😀 ␛0041'), '😀 ␛241b0041');
  assert.equal(withoutMarks('␛0000 ␛241b ␛0041 ␛00 ␛zzzz ␛'), '\u0000 ␛ ␛0041 ␛00 ␛zzzz ␛');
});

test('any text comes back from an element, a section and an attribute', () => {
  fc.assert(
    fc.property(anyText(40), (text) => {
      const { root, problems } = readXml(`<a>${leafText('', 'b', attributeText('x', text), text)}${literalLeafText('', 'c', text)}</a>`);
      assert.deepEqual(problems, []);
      const [leaf, literal] = root!.children.filter((child) => typeof child !== 'string');
      assert.deepEqual([leaf!.children.join(''), leaf!.attributes.get('x'), literal!.children.join('')], [text, text, text]);
    }),
    { numRuns: 500 },
  );
});

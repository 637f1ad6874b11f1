// Tests the picking of values out of JSON texts, in pieces of any size.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type JsonPath, JsonPicker, JsonSelection, NotJson, pickFromJson } from './json-pick.ts';

function pick(text: string, path: JsonPath, { pieces = text.length, namesOnly = false } = {}): JsonSelection {
  const wanted = new JsonSelection(path, { namesOnly });
  const picker = new JsonPicker([wanted]);
  for (let at = 0; at < text.length; at += pieces) picker.write(text.slice(at, at + pieces));
  picker.end();
  return wanted;
}

const TEXT = `{"a": [1, {"b": "x\\"\\\\", "é\\u0041": null}, [], {}], "dist-tags":{"latest" : "1.10.0"},"n":1.10, "": {"": true}}`;

describe('a value', () => {
  for (const [path, text] of [
    [['a', '0'], '1'],
    [['a', '1'], '{"b": "x\\"\\\\", "é\\u0041": null}'],
    [['a', '1', 'b'], '"x\\"\\\\"'],
    [['a', '1', 'éA'], 'null'],
    [['a', '2'], '[]'],
    [['dist-tags', 'latest'], '"1.10.0"'],
    [['n'], '1.10'],
    [['', ''], 'true'],
    [[], TEXT],
    [['a', '4'], undefined],
    [['a', 'b'], undefined],
    [['latest'], undefined],
    [['n', 'x'], undefined],
  ] as const) {
    test(`the value at /${path.join('/')} is picked, if there is one`, () => {
      for (const pieces of [1, 2, 3, 7, TEXT.length]) assert.equal(pick(TEXT, path, { pieces }).text, text);
    });
  }

  test('a value that is the whole text is picked', () => {
    assert.equal(pick(' 12', []).value, 12);
    assert.equal(pick('"a b"', []).value, 'a b');
  });

  test('the last of several members of one name is picked', () => assert.equal(pick('{"a":1,"a":2}', ['a']).value, 2));
});

test('the names of the members of an object can be picked', () => {
  const names = (text: string, path: JsonPath) => pick(text, path, { namesOnly: true, pieces: 3 }).names;
  assert.deepEqual(names('{"versions":{"1.0.0":{"name":"a"},"1\\u002e1":[]},"x":1}', ['versions']), ['1.0.0', '1.1']);
  assert.deepEqual(names('{"versions":{}}', ['versions']), []);
  assert.equal(names('{"versions":[1]}', ['versions']), undefined);
});

test('several values are picked at once', () => {
  const wanted = [
    new JsonSelection(['a', '0']),
    new JsonSelection(['n']),
    new JsonSelection(['n']),
    new JsonSelection(['dist-tags'], { namesOnly: true }),
  ];
  new JsonPicker(wanted).write(TEXT);
  assert.deepEqual(
    wanted.map(({ text, names }) => names ?? text),
    ['1', '1.10', '1.10', ['latest']],
  );
});

describe('text that is no JSON', () => {
  for (const text of [
    '',
    ' ',
    '<html>',
    '{',
    '[1',
    '"a',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '[1}',
    '{1:2}',
    '{"a" 1}',
    '[1 2]',
    '1 2',
    '{}}',
    ']',
    'tru',
    '[01]',
    ',',
    ':',
    '{"a":1:2}',
    '['.repeat(1000),
    `[${'1'.repeat(5000)}]`,
  ]) {
    test(`«${text.slice(0, 20)}» is no JSON`, () => {
      for (const pieces of [1, 1000]) assert.throws(() => pick(text, ['x'], { pieces }), NotJson);
    });
  }
});

test('any value is picked, in any pieces', () => {
  fc.assert(
    fc.property(
      fc.object({ withNullPrototype: false }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 3 }),
      (object, pieces, indent) => {
        const text = JSON.stringify(object, null, indent);
        for (const name of Object.keys(object)) {
          const expected = JSON.stringify(object[name]);
          if (expected === undefined) continue;
          assert.deepEqual(pick(text, [name], { pieces }).value, JSON.parse(expected));
        }
      },
    ),
  );
});

test('a very large text needs little memory and no long stops', async () => {
  const member = new TextEncoder().encode(`"m":{"readme":"${'words and \\"quotes\\" '.repeat(3000)}","list":[${'1,'.repeat(1000)}1]},`);
  async function* chunks() {
    yield new TextEncoder().encode('{');
    for (let count = 0; count < 1000; count++) yield member;
    yield new TextEncoder().encode('"last":"1.2.3"}');
  }
  const wanted = new JsonSelection(['last']);
  await pickFromJson(chunks(), [wanted]);
  assert.equal(wanted.value, '1.2.3');
});

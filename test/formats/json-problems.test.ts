// The problems reported for JSON files that cannot be read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { jsonFormat } from './support/formats.ts';
import { parseText } from './support/pipelines.ts';

describe('files that cannot be read', () => {
  for (const [title, source, expected] of [
    ['nothing', ' \n', '1:1 File is empty'],
    ['only a comment', '// x', '1:1 File is empty'],
    ['nothing in it', ' {}', '1:2 Definition is empty'],
    ['a list', '[]', '1:1 Failed to parse file as JSON: Expected an object with the pipeline'],
    ['null', 'null', '1:1 File is empty'],
    ['no colon', '{"name" "x"}', "1:9 Failed to parse file as JSON: Expected ':' after the name 'name', but found '\"' (line 1, column 9)"],
    ['no value', '{"name": }', "1:10 Failed to parse file as JSON: Expected a value, but found '}' (line 1, column 10)"],
    ['no comma', '{"a": 1\n"b": 2}', "2:1 Failed to parse file as JSON: Expected ',' or '}', but found '\"' (line 2, column 1)"],
    ['an open object', '{"a": 1', "1:8 Failed to parse file as JSON: Expected ',' or '}', but the file ends (line 1, column 8)"],
    ['an open list', '{"a": [1', "1:9 Failed to parse file as JSON: Expected ',' or ']', but the file ends (line 1, column 9)"],
    ['an open text', '{"a": "b}', '1:7 Failed to parse file as JSON: The text that begins here has no closing " (line 1, column 7)'],
    ['an open comment', '{ /* x }', '1:3 Failed to parse file as JSON: The comment that begins here has no end (line 1, column 3)'],
    [
      'a bad escape',
      '{"a": "\\u12g"}',
      "1:10 Failed to parse file as JSON: Expected four hexadecimal digits after \\u, but found '12g' (line 1, column 10)",
    ],
    [
      'more after the end',
      '{"a": 1} x',
      "1:10 Failed to parse file as JSON: Expected the end of the file, but found 'x' (line 1, column 10)",
    ],
  ] as const) {
    test(`a JSON file that cannot be read is reported: ${title}`, () => {
      const { problems } = parseText(jsonFormat, 'a.gopipeline.json', source);
      assert.deepEqual(
        problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
        [expected],
      );
    });
  }
});

test('files that were sent are distinguished by their names', () => {
  const names = ['x/a.gopipeline.json', 'b.goenvironment.json', 'c.json'];
  const { files, problems } = jsonFormat.chooseSent(names, new Map());
  assert.deepEqual(files, [
    { path: 'x/a.gopipeline.json', as: 'pipeline' },
    { path: 'b.goenvironment.json', as: 'environment' },
  ]);
  assert.deepEqual(
    problems.map(({ file, location, message }) => [file, location, message]),
    [['c.json', 'c.json', 'File does not match environment or pipeline pattern']],
  );
  const settings = new Map([['pipeline_pattern', 'ci/**/*.json']]);
  assert.deepEqual(jsonFormat.chooseSent(['c.json'], settings).files, [{ path: 'c.json', as: 'pipeline' }]);
});

test('a list with nothing in it does not count beside another', () => {
  const stages = [{ name: 's', jobs: [{ name: 'j', tasks: [] }] }];
  const read = (filter: JsonObject) => {
    const source = JSON.stringify({ format_version: 11, group: 'g', name: 'p', materials: [{ type: 'git', url: 'u', filter }], stages });
    const { pipelines, problems } = parseText(jsonFormat, 'a.gopipeline.json', source);
    assert.deepEqual(problems, []);
    return (pipelines[0]!.body.materials as { attributes: unknown }[])[0]!.attributes;
  };
  assert.deepEqual(read({ ignore: [], includes: ['a'] }), { url: 'u', filter: { ignore: ['a'] }, invert_filter: true });
  assert.deepEqual(read({ ignore: ['a'], includes: [] }), { url: 'u', filter: { ignore: ['a'] } });
  assert.deepEqual(read({ includes: [] }), { url: 'u', filter: { ignore: [] }, invert_filter: true });
  assert.deepEqual(read({ ignore: [], whitelist: ['a'] }), { url: 'u', filter: { ignore: ['a'] }, invert_filter: true });
});

test('from version 10 on an old list is read over beside a new one', () => {
  const stages = [{ name: 's', jobs: [{ name: 'j', tasks: [] }] }];
  const materials = [{ type: 'git', url: 'u', filter: { whitelist: ['a'], ignore: ['b'] } }];
  const source = JSON.stringify({ format_version: 10, group: 'g', name: 'p', materials, stages });
  const { pipelines, problems, warnings } = parseText(jsonFormat, 'a.gopipeline.json', source);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ["Unknown key 'whitelist' is ignored."],
  );
  const [material] = pipelines[0]!.body.materials as { attributes: unknown }[];
  assert.deepEqual(material!.attributes, { url: 'u', filter: { ignore: ['b'] } });
});

// Finds lines of values that are in a file, of those that are not, and of those that have been replaced.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { locate, withBody } from '../../src/formats/locate.ts';
import { yamlFormat } from './support/formats.ts';
import { parseText } from './support/pipelines.ts';

const SOURCE = `pipelines:
  web:
    group: shop
    materials:
      code:
        git: https://scm.example.org/a.git
        branch: main
    stages:
      - build:
          tasks:
            - exec:
                command: make
                arguments:
                  - all
                  - -j4
`;
const { pipelines } = parseText(yamlFormat, 'a.gocd.yaml', SOURCE);
const pipeline = pipelines[0]!;
const task = ['stages', 0, 'jobs', 0, 'tasks', 0];

describe('locate', () => {
  for (const [path, line, column] of [
    [[], 2, 3],
    [['group'], 3, 12],
    [['name'], 2, 3],
    [['materials'], 5, 7],
    [['materials', 0, 'attributes', 'url'], 6, 14],
    [['materials', 0, 'attributes', 'branch'], 7, 17],
    [[...task, 'attributes', 'command'], 12, 26],
    [[...task, 'attributes', 'arguments', 1], 15, 21],
    // Not in the file: the nearest that is.
    [['timer', 'spec'], 2, 3],
    [['materials', 0, 'attributes', 'destination'], 5, 7],
    [['stages', 7], 9, 7],
  ] as const) {
    test(`${path.join('.') || 'the pipeline'} is found in the file`, () => assert.deepEqual(locate(pipeline, path), { line, column }));
  }
});

test('after parts have been replaced, the other parts are found where they were', () => {
  const materials = [{ type: 'git', attributes: { auto_update: false, name: 'code', branch: 'main', url: 'x', more: [1, 2, 3] } }];
  const changed = withBody(pipeline, { group: 'shop', added: { a: 1 }, materials, stages: pipeline.body.stages! });
  assert.deepEqual(locate(changed, ['group']), { line: 3, column: 12 });
  assert.deepEqual(locate(changed, ['added', 'a']), { line: 2, column: 3 });
  assert.deepEqual(locate(changed, ['materials', 0, 'attributes', 'branch']), { line: 7, column: 17 });
  assert.deepEqual(locate(changed, ['materials', 0, 'attributes', 'more', 2]), { line: 5, column: 7 });
  assert.deepEqual(locate(changed, [...task, 'attributes', 'arguments', 1]), { line: 15, column: 21 });
});

test('an entity whose places were not kept stands where it begins', () => {
  assert.deepEqual(locate({ ...pipeline, positions: new Uint32Array() }, ['group']), { line: 2, column: 3 });
});

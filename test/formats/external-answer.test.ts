// Answers of external plugins: definitions as the JSON format has them, at the places that the plugin names, and nothing unknown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePluginAnswer } from '../../src/formats/external/answer.ts';
import { locate } from '../../src/formats/locate.ts';

const PIPELINE = {
  name: 'p',
  group: 'g',
  materials: [{ type: 'git', url: 'https://scm.example.org/p.git' }],
  stages: [{ name: 's', jobs: [{ name: 'j', tasks: [{ type: 'exec', command: 'make' }] }] }],
};

const parse = (answer: unknown) =>
  parsePluginAnswer({ path: 'a.x', as: '{}' }, Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)));

test('definitions stand where the plugin says', () => {
  const environments = [{ definition: { name: 'e', agents: ['u'] } }];
  const {
    version,
    pipelines,
    environments: read,
    problems,
  } = parse({
    protocol: 1,
    format_version: 11,
    pipelines: [{ line: 4, column: 2, definition: PIPELINE }],
    environments,
  });
  assert.deepEqual(problems, []);
  assert.equal(version, 11);
  const [pipeline] = pipelines;
  assert.deepEqual([pipeline!.name, pipeline!.group, pipeline!.file, pipeline!.line, pipeline!.column], ['p', 'g', 'a.x', 4, 2]);
  assert.deepEqual(locate(pipeline!, ['materials', 0, 'attributes', 'url']), { line: 4, column: 2 });
  assert.deepEqual([read[0]!.name, read[0]!.agents, read[0]!.line], ['e', ['u'], 1]);
});

test('problems that the plugin finds are reported in its words', () => {
  const { problems, warnings } = parse({
    protocol: 1,
    errors: [
      { line: 3, column: 5, message: 'no', entity: "pipeline 'x'", hint: 'say yes' },
      { message: 'x'.repeat(5000), line: -1 },
    ],
    warnings: [{ message: 'hm' }],
  });
  const [first, second] = problems;
  assert.deepEqual(first, { file: 'a.x', line: 3, column: 5, entity: "pipeline 'x'", location: 'a.x', message: 'no', hint: 'say yes' });
  assert.deepEqual([second!.line, second!.message.length], [1, 1001]);
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['hm'],
  );
});

test('problems of a definition are reported, too', () => {
  const { problems } = parse({ protocol: 1, pipelines: [{ line: 9, definition: { ...PIPELINE, stages: [] } }] });
  assert.ok(problems.length > 0);
  for (const { line, location } of problems) assert.deepEqual([line, location], [9, 'a.x; Pipeline p']);
});

describe('texts that are no answers', () => {
  for (const [title, answer, message] of [
    ['no JSON', '{ hello there', /^The plugin did not answer in JSON/],
    ['nothing', '', /^The answer of the plugin is empty$/],
    ['null', 'null', /^The answer of the plugin is empty$/],
    ['a NUL', '\n{"protocol": 1\0}', /^The answer of the plugin has a NUL character in it$/],
    ['too much', ' '.repeat(3 * 1024 * 1024), /^The answer of the plugin is too large: 3\.0 MB$/],
    ['a list', [], /has to be an object/],
    ['no protocol', {}, /has to name protocol 1/],
    ['another protocol', { protocol: 2 }, /has to name protocol 1/],
    ['a member that nobody knows', { protocol: 1, pipeline: [] }, /has a member pipeline that is not known/],
    ['no list', { protocol: 1, pipelines: {} }, /has pipelines that are not a list of objects/],
    ['no objects', { protocol: 1, environments: ['e'] }, /has environments that are not a list of objects/],
    ['no definition', { protocol: 1, pipelines: [{ name: 'p' }] }, /has an item without the object `definition`/],
    ['an error without words', { protocol: 1, errors: [{ line: 1 }] }, /has one of its problems without a `message`/],
    ['a version of the future', { protocol: 1, format_version: 99 }, /'target_version' is 99/],
    ['no version', { protocol: 1, format_version: 'x' }, /format_version has to be the number/],
  ] as const) {
    test(`an invalid answer is a problem of the plugin, not of the file: ${title}`, () => {
      const [problem, ...others] = parse(answer).problems;
      assert.match(problem!.message, message);
      assert.deepEqual([problem!.line, problem!.column, problem!.hint, others], [1, 1, 'Tell the author of the plugin.', []]);
    });
  }
});

// Which files are read, and the rules across the files of a repository.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { locate } from '../../src/formats/locate.ts';
import { problemsForPreflight } from '../../src/formats/problem-texts.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { type Format, parseText } from './support/pipelines.ts';

const NONE = new Map<string, string>();
const PATHS = [
  'b.gocd.yaml',
  'a/b/c.gocd.yml',
  '.hidden/x.gocd.yaml',
  'gocd.yaml',
  'a.GOCD.yaml',
  'ci/build.yaml',
  'a.gopipeline.json',
  'a/e.goenvironment.json',
];
const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

describe('chosen files', () => {
  test('YAML files are chosen by their default pattern', () => {
    assert.deepEqual(pathsOf(yamlFormat.choose(PATHS, NONE, NONE)), ['.hidden/x.gocd.yaml', 'a/b/c.gocd.yml', 'b.gocd.yaml']);
    assert.deepEqual(yamlFormat.defaultPatterns, { file_pattern: '**/*.gocd.yaml,**/*.gocd.yml' });
  });
  test('the pattern of the repository wins over that of the plugin, and blank patterns do not count', () => {
    const plugin = new Map([['file_pattern', 'gocd.yaml']]);
    assert.deepEqual(pathsOf(yamlFormat.choose(PATHS, NONE, plugin)), ['gocd.yaml']);
    assert.deepEqual(pathsOf(yamlFormat.choose(PATHS, new Map([['file_pattern', ' ']]), plugin)), ['gocd.yaml']);
    const own = new Map([['file_pattern', ' ci/*.yaml , gocd.yaml ']]);
    assert.deepEqual(pathsOf(yamlFormat.choose(PATHS, own, plugin)), ['ci/build.yaml', 'gocd.yaml']);
  });
  test('JSON files are chosen by two patterns, that for environments first', () => {
    assert.deepEqual(jsonFormat.choose(PATHS, NONE, NONE), [
      { path: 'a.gopipeline.json', as: 'pipeline' },
      { path: 'a/e.goenvironment.json', as: 'environment' },
    ]);
    const all = new Map([
      ['pipeline_pattern', '**/*.json'],
      ['environment_pattern', 'a/'],
    ]);
    assert.deepEqual(jsonFormat.choose(['a/x.json', 'b.json'], all, NONE), [
      { path: 'a/x.json', as: 'environment' },
      { path: 'b.json', as: 'pipeline' },
    ]);
  });
  test('a sent YAML file may have any name', () => {
    assert.deepEqual(pathsOf(yamlFormat.chooseSent(['x', 'y.txt'], NONE).files), ['x', 'y.txt']);
  });
});

const yamlFile = (path: string, version: string, tasks = '[]') =>
  parseText(
    yamlFormat,
    path,
    `${version}\npipelines:\n  ${path[0]}: {group: g, materials: {m: {git: u}}, stages: [{s: {tasks: ${tasks}}}]}\n`,
  );
const jsonFile = (path: string, more: JsonObject) =>
  parseText(
    jsonFormat,
    path,
    JSON.stringify({
      name: path[0],
      group: 'g',
      materials: [{ type: 'git', url: 'u' }],
      stages: [{ name: 's', jobs: [{ name: 'j' }] }],
      ...more,
    }),
  );

interface Body {
  readonly stages: readonly [{ readonly jobs: readonly [{ readonly tasks: unknown }] }];
}

/** The tasks of the first job of each pipeline. */
function tasksOf(format: Format, files: Parameters<Format['join']>[0]): unknown[] {
  const { pipelines, problems } = format.join(files);
  assert.deepEqual(problems, []);
  return pipelines.map(({ body }) => (body as unknown as Body).stages[0].jobs[0].tasks);
}

describe('versions', () => {
  const filler = [{ type: 'exec', attributes: { run_if: ['passed'], command: 'echo', arguments: [] } }];

  test('files without a version take that of the others, or else version 1', () => {
    const [none, ten, eleven] = [
      yamlFile('a.yaml', ''),
      yamlFile('b.yaml', 'format_version: 10'),
      yamlFile('c.yaml', 'format_version: 11'),
    ];
    assert.deepEqual(tasksOf(yamlFormat, [none]), [filler]);
    assert.deepEqual(tasksOf(yamlFormat, [none, ten]), [filler, filler]);
    assert.deepEqual(tasksOf(yamlFormat, [none, eleven]), [[], []]);
  });

  test('a job that has tasks is not touched, and lines stay right', () => {
    const source =
      'pipelines:\n  a:\n    group: g\n    materials: {m: {git: u}}\n    stages:\n      - s:\n          jobs:\n            idle: {tasks: []}\n            busy:\n              tasks:\n                - exec:\n                    command: ls\n';
    const [pipeline] = yamlFormat.join([parseText(yamlFormat, 'a', source)]).pipelines;
    const jobs = ['stages', 0, 'jobs'];
    assert.deepEqual(locate(pipeline!, [...jobs, 1, 'tasks', 0, 'attributes', 'command']), { line: 12, column: 30 });
    assert.deepEqual(locate(pipeline!, [...jobs, 0, 'tasks', 0, 'attributes', 'command']), { line: 8, column: 27 });
  });

  test('different versions in one repository are a problem', () => {
    const files = [yamlFile('b.yaml', 'format_version: 10'), yamlFile('a.yaml', 'format_version: 9'), yamlFile('c.yaml', '')];
    const { problems } = yamlFormat.join(files);
    assert.deepEqual(problems, [
      {
        file: 'a.yaml',
        line: 1,
        column: 1,
        entity: undefined,
        location: 'YAML config plugin',
        message:
          'Versions across files are not unique. Found versions: [9, 10]. There can only be one version across the whole repository.',
        hint: 'Write the same format_version into all files: a.yaml has 9, b.yaml has 10.',
      },
    ]);
  });

  test('a JSON file without a version is of the first', () => {
    const versions: readonly JsonObject[] = [{}, { format_version: 10 }, { format_version: '11.0' }];
    const [none, ten, eleven] = versions.map((more, index) => jsonFile(`${index}.gopipeline.json`, more));
    assert.deepEqual(tasksOf(jsonFormat, [none!]), [filler]);
    assert.deepEqual(tasksOf(jsonFormat, [eleven!]), [[]]);
    const [problem] = jsonFormat.join([none!, ten!]).problems;
    assert.deepEqual([problem?.location, problem?.message.includes('[1, 10]')], ['JSON config plugin', true]);
  });

  test('a file whose version is not known has no say', () => {
    const eleven = jsonFile('a.gopipeline.json', { format_version: 11 });
    for (const source of ['', '{}', '[]', '{"format_version": 11, "name": "b"', '{"format_version": "x", "name": "b"}']) {
      const unknown = parseText(jsonFormat, 'b.gopipeline.json', source);
      assert.ok(unknown.problems.length > 0);
      assert.deepEqual(jsonFormat.join([eleven, unknown]).problems, unknown.problems, source);
    }
    const incomplete = parseText(jsonFormat, 'b.gopipeline.json', '{"name": "b"}');
    assert.match(jsonFormat.join([eleven, incomplete]).problems[0]!.message, /Found versions: \[1, 11\]/);
  });
});

test('problems are written as texts for the preflight', () => {
  const files = [parseText(yamlFormat, 'a.yaml', 'x:\ny:\n'), parseText(yamlFormat, 'b.yaml', '')];
  const { problems } = yamlFormat.join(files);
  const invalid = 'is invalid, expected format_version, pipelines, environments, or common';
  assert.equal(problemsForPreflight(problems), `a.yaml:\n  - x ${invalid}\n  - y ${invalid}\n\nb.yaml:\n  - File is empty`);
});

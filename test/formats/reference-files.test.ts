// Oddities in files that were written for, or exported by, GoCD, and that no user would write for Slipway.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { type Format, parseText, stored } from './support/pipelines.ts';

interface Read {
  readonly materials: readonly JsonObject[];
  readonly tasks: readonly JsonObject[];
  readonly warnings: readonly string[];
  readonly body: JsonObject;
}

/** The one pipeline of a file, in which nothing may be wrong. */
function read(format: Format, file: string, text: string): Read {
  const { pipelines, problems, warnings } = parseText(format, file, text);
  assert.deepEqual(problems, []);
  const body = pipelines[0]!.body;
  const { materials, stages } = body as unknown as { materials: JsonObject[]; stages: { jobs: { tasks: JsonObject[] }[] }[] };
  const tasks = stages[0]!.jobs[0]!.tasks;
  return { materials, tasks, warnings: warnings.map(({ line, message }) => `${line} ${message}`), body };
}

const json = (tasks: string, materials = '[{"type": "git", "url": "https://scm.example.org/a.git"}]') =>
  read(
    jsonFormat,
    'a.gopipeline.json',
    `{"name": "a", "group": "g", "materials": ${materials}, "stages": [{"name": "s", "jobs": [{"name": "j", "tasks": ${tasks}}]}]}`,
  );
const YAML_HEAD = 'format_version: 10\npipelines:\n  a:\n    group: g\n';
const yaml = (tasks: string, material = 'git: https://scm.example.org/a.git') =>
  read(
    yamlFormat,
    'a.gocd.yaml',
    `${YAML_HEAD}    materials:\n      m: {${material}}\n    stages:\n      - s:\n          tasks:\n${tasks}`,
  );

describe('the timeout of a command', () => {
  const timeoutOf = (written: string) => {
    const { tasks, body } = json(`[{"type": "exec", "command": "make", "timeout": ${written}}]`);
    assert.deepEqual(stored('pipelines', body).problems, []);
    return (tasks[0]!.attributes as JsonObject).timeout;
  };

  test('is none when an export wrote -1 or 0', () => {
    for (const written of ['-1', '-1.0', '"-1"', '0', '0.0']) assert.equal(timeoutOf(written), undefined, written);
  });
  test('is kept when there is one', () => assert.equal(timeoutOf('5.0'), 5));
  test('is none on cancel and in YAML, too', () => {
    const [task] = json('[{"type": "exec", "command": "a", "on_cancel": {"type": "exec", "command": "b", "timeout": -1}}]').tasks;
    const { on_cancel } = task!.attributes as { on_cancel: JsonObject };
    assert.deepEqual(on_cancel, { type: 'exec', attributes: { command: 'b' } });
    const [written] = yaml('            - exec: {command: make, timeout: -1}\n').tasks;
    assert.deepEqual(written!.attributes, { command: 'make' });
  });
  test('is refused when it is another negative number', () => {
    const { body } = json('[{"type": "exec", "command": "make", "timeout": -2}]');
    assert.deepEqual(
      stored('pipelines', body).problems.map(({ message }) => message),
      ['Timeout must be a positive number.'],
    );
  });
});

test('a script that mentions an address with a password is kept as it is written', () => {
  const script = 'git push https://$U:$P@scm.example.org/a.git HEAD:main';
  const { body } = yaml(`            - script: ${script}\n            - plugin:\n                configuration: {id: x, version: 1}
                options: {command: "${script}", url: "https://me:hush@scm.example.org/a.git"}\n`);
  const { json: kept, problems } = stored('pipelines', body);
  assert.deepEqual(problems, []);
  const [short, long] = (kept as unknown as { stages: { jobs: { tasks: { attributes: { configuration: JsonObject[] } }[] }[] }[] })
    .stages[0]!.jobs[0]!.tasks;
  assert.deepEqual(short!.attributes.configuration, [{ key: 'script', value: script }]);
  const [command, address] = long!.attributes.configuration;
  assert.deepEqual(command, { key: 'command', value: script });
  assert.deepEqual(Object.keys(address!), ['key', 'encrypted_value']);
});

describe('an SCM that is named and declared in one material', () => {
  const scm = { name: 'm', plugin_metadata: { id: 'github.pr', version: '1' }, configuration: [{ key: 'url', value: 'u' }] };

  test('is the declared SCM in YAML', () => {
    const declared = 'scm: some-id, plugin_configuration: {id: github.pr, version: 1}, options: {url: u}';
    const { materials, warnings } = yaml('            - rake:\n', declared);
    assert.deepEqual(materials, [{ type: 'plugin', attributes: { scm } }]);
    assert.deepEqual(warnings, ["6 Key 'scm' beside 'plugin_configuration' is ignored."]);
  });
  test('is the declared SCM in JSON', () => {
    const plugin = '"plugin_configuration": {"id": "github.pr", "version": "1"}, "configuration": [{"key": "url", "value": "u"}]';
    const { materials, warnings } = json('[]', `[{"type": "plugin", "name": "m", "scm_id": "some-id", ${plugin}}]`);
    assert.deepEqual(materials, [{ type: 'plugin', attributes: { scm } }]);
    assert.deepEqual(warnings, ["1 Key 'scm_id' beside 'plugin_configuration' is ignored."]);
  });
});

test('a list under args is ignored in YAML, and a warning says what to write', () => {
  const { tasks, warnings } = yaml('            - exec: {command: make, args: [all, clean]}\n');
  assert.deepEqual(tasks, [{ type: 'exec', attributes: { command: 'make' } }]);
  assert.deepEqual(warnings, ["10 The list under 'args' is ignored."]);
  const [line] = yaml('            - exec: {command: make, args: all clean}\n').tasks;
  assert.deepEqual(line!.attributes, { command: 'make', args: 'all clean' });
});

describe('the last line of a block', () => {
  const scriptOf = (written: string) => {
    const { configuration } = yaml(`            - script: ${written}`).tasks[0]!.attributes as { configuration: { value: string }[] };
    return configuration[0]!.value;
  };
  const LINES = '\n                ls\n                pwd';

  test('ends where the file ends, if the file has no last line break', () => {
    assert.equal(scriptOf(`|${LINES}`), 'ls\npwd');
    assert.equal(scriptOf(`|+${LINES}`), 'ls\npwd');
    assert.equal(scriptOf(`>${LINES}`), 'ls pwd');
  });
  test('has its line break everywhere else', () => {
    assert.equal(scriptOf(`|${LINES}\n`), 'ls\npwd\n');
    assert.equal(scriptOf(`|${LINES}\n            # a comment`), 'ls\npwd\n');
    assert.equal(scriptOf(`|${LINES}\n  `), 'ls\npwd\n');
    assert.equal(scriptOf(`|${LINES}\n            - rake:`), 'ls\npwd\n');
    assert.equal(scriptOf(`|-${LINES}\n`), 'ls\npwd');
  });
});

// The files that pipelines are exported to, to the letter.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { encrypted, stored } from './support/pipelines.ts';

const SECRET = encrypted('hush');
const BODY: JsonObject = {
  group: 'shop',
  name: 'web',
  label_template: '1.${COUNT}',
  lock_behavior: 'unlockWhenFinished',
  parameters: [{ name: 'GOAL', value: '1.10' }],
  timer: { spec: '0 0 22 ? * MON-FRI', only_on_changes: true },
  tracking_tool: { type: 'generic', attributes: { url_pattern: 'https://tracker.example.org/${ID}', regex: '#(\\d+)' } },
  environment_variables: [
    { name: 'TOKEN', secure: true, encrypted_value: SECRET },
    { name: 'LEVEL', value: 'yes' },
  ],
  materials: [
    {
      type: 'git',
      attributes: {
        name: 'code',
        url: 'https://scm.example.org/web.git',
        branch: 'main',
        destination: 'src',
        username: 'me',
        encrypted_password: SECRET,
      },
    },
    {
      type: 'svn',
      attributes: { url: 'https://svn.example.org/x', destination: 'svn', filter: { ignore: ['*.md'] }, invert_filter: true },
    },
    { type: 'dependency', attributes: { pipeline: 'lib', stage: 'package' } },
    { type: 'tfs', attributes: { name: 'team', url: 'https://tfs.example.org', username: 'me', project_path: '$/a', destination: 'tfs' } },
    { type: 'package', attributes: { ref: 'abc' } },
  ],
  stages: [
    {
      name: 'build',
      approval: { type: 'manual', authorization: { roles: ['devs'], users: [] } },
      jobs: [
        {
          name: 'compile',
          run_instance_count: 3,
          timeout: 20,
          resources: ['linux'],
          tabs: [{ name: 'report', path: 'out/index.html' }],
          artifacts: [
            { type: 'build', source: 'dist', destination: 'out' },
            { type: 'external', artifact_id: 'image', store_id: 'hub', configuration: [{ key: 'Image', value: 'web' }] },
          ],
          tasks: [
            {
              type: 'exec',
              attributes: { command: 'make', arguments: ['-j4', 'all'], run_if: ['any'], on_cancel: { type: 'rake', attributes: {} } },
            },
            { type: 'script', attributes: { script: 'set -e\nmake\n' } },
            {
              type: 'fetch',
              attributes: {
                artifact_origin: 'external',
                stage: 'a',
                job: 'b',
                artifact_id: 'c',
                configuration: [{ key: 'd', value: 'e' }],
              },
            },
            {
              type: 'pluggable_task',
              attributes: {
                plugin_configuration: { id: 'script-executor', version: '1' },
                configuration: [
                  { key: 'script', value: 'ls' },
                  { key: 'password', encrypted_value: SECRET },
                ],
              },
            },
          ],
        },
      ],
    },
  ],
};

const YAML = `format_version: 10
pipelines:
  web:
    group: shop
    label_template: "1.\${COUNT}"
    lock_behavior: unlockWhenFinished
    tracking_tool:
      link: https://tracker.example.org/\${ID}
      regex: "#(\\\\d+)"
    display_order: -1
    timer:
      spec: "0 0 22 ? * MON-FRI"
      only_on_changes: true
    environment_variables:
      LEVEL: "yes"
    # Encrypted by this server: no other server can read it.
    secure_variables:
      TOKEN: ${SECRET}
    materials:
      code:
        git: https://scm.example.org/web.git
        username: me
        shallow_clone: false
        auto_update: true
        destination: src
        branch: main
        # Encrypted by this server: no other server can read it.
        encrypted_password: ${SECRET}
      svn-KEY:
        svn: https://svn.example.org/x
        name: ""
        includes:
        - "*.md"
        check_externals: false
        auto_update: true
        destination: svn
      dependency-KEY:
        pipeline: lib
        name: ""
        ignore_for_scheduling: false
        stage: package
      team:
        type: tfs
        username: me
        auto_update: true
        destination: tfs
        url: https://tfs.example.org
        domain: ""
        project: $/a
      package-KEY:
        package: abc
        name: ""
    stages:
    - build:
        fetch_materials: true
        keep_artifacts: false
        clean_workspace: false
        approval:
          type: manual
          allow_only_on_success: false
          roles:
          - devs
        jobs:
          compile:
            timeout: 20
            run_instances: 3
            tabs:
              report: out/index.html
            resources:
            - linux
            artifacts:
            - build:
                source: dist
                destination: out
            - external:
                id: image
                store_id: hub
                configuration:
                  options:
                    Image: web
            tasks:
            - exec:
                on_cancel:
                  rake:
                arguments:
                - -j4
                - all
                run_if: any
                command: make
            - plugin:
                configuration:
                  id: slipway.script
                  version: "1"
                options:
                  script: |
                    set -e
                    make
            - fetch:
                configuration:
                  options:
                    d: e
                is_file: false
                artifact_origin: external
                stage: a
                job: b
                artifact_id: c
            - plugin:
                configuration:
                  id: script-executor
                  version: "1"
                options:
                  script: ls
                # Encrypted by this server: no other server can read it.
                secure_options:
                  password: ${SECRET}
    parameters:
      GOAL: "1.10"
`;

describe('YAML', () => {
  const { json } = stored('pipelines', BODY);
  const exported = yamlFormat.exportPipeline(json);

  test('the YAML file is as expected, to the letter', () => {
    assert.equal(exported.text.replaceAll(/(svn|dependency|package)-[0-9a-f]{7}:/g, '$1-KEY:'), YAML);
  });
  test('is the same each time', () => assert.deepEqual(yamlFormat.exportPipeline(json), exported));
  test('the YAML file has its name and content type', () => {
    assert.deepEqual([exported.name, exported.contentType], ['web.gocd.yaml', 'application/x-yaml; charset=utf-8']);
  });
  test('texts of the YAML file are texts to every parser', () => {
    const { pipelines } = parse(exported.text);
    assert.equal(pipelines.web.parameters.GOAL, '1.10');
    assert.equal(pipelines.web.environment_variables.LEVEL, 'yes');
    assert.equal(pipelines.web.stages[0].build.fetch_materials, true);
  });
});

describe('JSON', () => {
  const { name, contentType, text } = jsonFormat.exportPipeline(stored('pipelines', BODY).json);
  const model = JSON.parse(text);

  test('the JSON file has its name and type', () =>
    assert.deepEqual([name, contentType], ['web.gopipeline.json', 'application/json; charset=utf-8']));
  test('members of the JSON file keep their order, none is null, and the indentation is two', () => {
    assert.deepEqual(Object.keys(model), [
      ...['group', 'name', 'display_order_weight', 'label_template', 'lock_behavior', 'tracking_tool', 'timer', 'environment_variables'],
      ...['parameters', 'materials', 'stages'],
    ]);
    assert.ok(!text.includes('null'));
    assert.ok(text.startsWith('{\n  "group": "shop",\n'));
  });
  test('numbers in the JSON file are whole, and the number of instances is a text', () => {
    const [job] = model.stages[0].jobs;
    assert.deepEqual([model.display_order_weight, job.timeout, job.run_instance_count], [-1, 20, '3']);
  });
  test('secrets in the JSON file are cipher text', () => {
    assert.deepEqual(model.environment_variables[0], { name: 'TOKEN', encrypted_value: SECRET });
    assert.ok(!text.includes('hush'));
  });
});

test('a template is named, and stages are left out', () => {
  const { json } = stored('pipelines', { name: 'p', group: 'g', template: 't', materials: [{ type: 'git', attributes: { url: 'u' } }] });
  assert.match(yamlFormat.exportPipeline(json).text, /^ {4}template: t$/m);
  const model = JSON.parse(jsonFormat.exportPipeline(json).text);
  assert.deepEqual([model.template, 'stages' in model], ['t', false]);
});

test('a password in an address is cipher text, with a comment', () => {
  const { json } = stored('pipelines', {
    name: 'p',
    group: 'g',
    template: 't',
    materials: [{ type: 'git', attributes: { url: 'https://me:hush@host/a' } }],
  });
  const { text } = yamlFormat.exportPipeline(json);
  assert.match(text, /# Encrypted by this server: no other server can read it\.\n {8}git: "?https:\/\/me:v1%3A[^@]+@host\/a/);
  assert.ok(!text.includes('hush'));
});

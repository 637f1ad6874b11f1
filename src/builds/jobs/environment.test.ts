import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { WorkVariable } from '../../contracts/agent-protocol/work.ts';
import { asVariableName } from '../../kit/text/variable-name.ts';
import { type RepositoryType, repositoryDefinition } from '../../materials/types/list.ts';
import { p4ClientVariable } from '../../materials/types/p4/material.ts';
import { type EnvironmentFacts, environmentOf } from './environment.ts';
import type { MaterialFacts } from './materials/material-variables.ts';

const variable = (name: string, value: string, is_secret = false): WorkVariable => ({ name, value, is_secret });
const FACTS: EnvironmentFacts = {
  serverUrl: 'https://ci.example.com',
  group: 'apps',
  environment: null,
  agentResources: [],
  approver: 'changes',
  pipeline: 'web',
  counter: 7,
  label: '1.7',
  stage: 'test',
  stageCounter: 2,
  rerunOfCounter: null,
  job: 'unit-runInstance-2',
  materials: [],
  variables: [],
  instance: null,
  triggerVariables: [],
};
/** As `NAME=value`, secret ones with a star in front. */
const lines = (facts: Partial<EnvironmentFacts>) =>
  environmentOf({ ...FACTS, ...facts }).map(({ name, value, is_secret }) => `${is_secret ? '*' : ''}${name}=${value}`);
const materialLines = (material: MaterialFacts) => lines({ materials: [material] }).slice(9);

const LEAST = [
  'GO_SERVER_URL=https://ci.example.com',
  'GO_PIPELINE_GROUP_NAME=apps',
  'GO_TRIGGER_USER=changes',
  'GO_PIPELINE_NAME=web',
  'GO_PIPELINE_COUNTER=7',
  'GO_PIPELINE_LABEL=1.7',
  'GO_STAGE_NAME=test',
  'GO_STAGE_COUNTER=2',
  'GO_JOB_NAME=unit-runInstance-2',
];

describe('the environment of a job', () => {
  test('has the variables of the server alone, if nothing is configured', () => {
    assert.deepEqual(lines({}), LEAST);
  });

  test('has all variables in a fixed order', () => {
    const all = lines({
      environment: { name: 'prod', variables: [variable('A', 'environment'), variable('KEY', 'k', true)] },
      agentResources: ['linux', 'jdk'],
      approver: 'jez',
      rerunOfCounter: 1,
      materials: [{ type: 'dependency', name: null, pipeline: 'up', label: '3', locator: 'up/3/dist/1', isChanged: true }],
      variables: [variable('A', 'job'), variable('TOKEN', 't', true)],
      instance: { index: 2, count: 3 },
      triggerVariables: [variable('TOKEN', 'other', true)],
    });
    assert.deepEqual(all, [
      'GO_SERVER_URL=https://ci.example.com',
      'GO_PIPELINE_GROUP_NAME=apps',
      'GO_ENVIRONMENT_NAME=prod',
      'A=environment',
      '*KEY=k',
      'GO_AGENT_RESOURCES=linux,jdk',
      'GO_TRIGGER_USER=jez',
      'GO_PIPELINE_NAME=web',
      'GO_PIPELINE_COUNTER=7',
      'GO_PIPELINE_LABEL=1.7',
      'GO_STAGE_NAME=test',
      'GO_STAGE_COUNTER=2',
      'GO_RERUN_OF_STAGE_COUNTER=1',
      'GO_JOB_NAME=unit-runInstance-2',
      'GO_DEPENDENCY_LABEL_UP=3',
      'GO_DEPENDENCY_LOCATOR_UP=up/3/dist/1',
      'GO_MATERIAL_UP_HAS_CHANGED=true',
      'A=job',
      '*TOKEN=t',
      'GO_JOB_RUN_INDEX=2',
      'GO_JOB_RUN_COUNT=3',
      '*TOKEN=other',
    ]);
  });

  test('variables of a trigger only replace others, and secret ones stay secret', () => {
    const given = lines({
      environment: { name: 'prod', variables: [variable('E', '1'), variable('S', '0')] },
      variables: [variable('A', '1'), variable('S', '1', true)],
      triggerVariables: [variable('A', '2'), variable('a', '2'), variable('S', '2'), variable('E', '2', true), variable('NEW', '2')],
    });
    assert.deepEqual(given.slice(given.indexOf('*S=1') + 1), ['A=2', '*S=2', '*E=2']);
  });
});

describe('variables of materials', () => {
  const GIT = {
    type: 'repository',
    name: null,
    destination: null,
    fromRevision: 'aaa',
    toRevision: 'bbb',
    url: 'https://example.com/repo',
    typeVariables: { BRANCH: 'main' },
    isChanged: false,
  } as const;
  const repository = (suffix: string) => [
    `GO_REVISION${suffix}=bbb`,
    `GO_TO_REVISION${suffix}=bbb`,
    `GO_FROM_REVISION${suffix}=aaa`,
    `GO_MATERIAL_URL${suffix}=https://example.com/repo`,
  ];

  test('variables of a git material without a name and a directory have no suffix', () => {
    assert.deepEqual(materialLines(GIT), [...repository(''), 'GO_MATERIAL_BRANCH=main', 'GO_MATERIAL_HAS_CHANGED=false']);
  });

  test('variables of a git material end with its name, or else with its directory', () => {
    const inDirectory = [...repository('_SRC_MY_LIB'), 'GO_MATERIAL_BRANCH_SRC_MY_LIB=main', 'GO_MATERIAL_SRC_MY_LIB_HAS_CHANGED=true'];
    assert.deepEqual(materialLines({ ...GIT, destination: 'src/my-lib', isChanged: true }), inDirectory);
    const named = [...repository('_LIB_2'), 'GO_MATERIAL_BRANCH_LIB_2=main', 'GO_MATERIAL_LIB_2_HAS_CHANGED=false'];
    assert.deepEqual(materialLines({ ...GIT, name: 'lib.2', destination: 'src' }), named);
  });

  test('variables name the branch for git only, and the domain for tfs only', () => {
    const material = { fingerprint: 'f', url: 'u', branch: 'main', domain: 'CORP' };
    const of = (type: RepositoryType, more: object = {}) => repositoryDefinition(type).jobVariables?.({ ...material, type, ...more }) ?? {};
    for (const type of ['hg', 'svn', 'p4'] as const) assert.deepEqual(of(type), {});
    assert.deepEqual([of('git'), of('git', { branch: '' })], [{ BRANCH: 'main' }, { BRANCH: 'master' }]);
    const ofDomain = materialLines({ ...GIT, name: 'x', typeVariables: of('tfs') });
    assert.deepEqual(ofDomain, [...repository('_X'), 'GO_MATERIAL_DOMAIN_X=CORP', 'GO_MATERIAL_X_HAS_CHANGED=false']);
    const ofNone = materialLines({ ...GIT, typeVariables: of('tfs', { domain: null }) });
    assert.deepEqual(ofNone, [...repository(''), 'GO_MATERIAL_HAS_CHANGED=false']);
  });

  test('a dependency is called as its pipeline, or by its own name', () => {
    const dependency = { type: 'dependency', pipeline: 'Up-1', label: '1.2', locator: 'Up-1/3/dist/1', isChanged: true } as const;
    for (const [name, suffix] of [
      [null, 'UP_1'],
      ['other', 'OTHER'],
    ] as const)
      assert.deepEqual(materialLines({ ...dependency, name }), [
        `GO_DEPENDENCY_LABEL_${suffix}=1.2`,
        `GO_DEPENDENCY_LOCATOR_${suffix}=Up-1/3/dist/1`,
        `GO_MATERIAL_${suffix}_HAS_CHANGED=true`,
      ]);
  });

  test('variables of a package hold the settings of its repository and its own', () => {
    const material: MaterialFacts = {
      type: 'package',
      name: 'repo:tool-x',
      label: '2.0',
      repository: [
        { key: 'REPO_URL', value: 'https://example.com', isSecret: false },
        { key: 'password', value: 'p', isSecret: true },
      ],
      settings: [{ key: 'package spec', value: 'tool*', isSecret: false }],
      isChanged: false,
    };
    assert.deepEqual(materialLines(material), [
      'GO_PACKAGE_REPO_TOOL_X_LABEL=2.0',
      'GO_REPO_REPO_TOOL_X_REPO_URL=https://example.com',
      '*GO_REPO_REPO_TOOL_X_PASSWORD=p',
      'GO_PACKAGE_REPO_TOOL_X_PACKAGE_SPEC=tool*',
      'GO_MATERIAL_REPO_TOOL_X_HAS_CHANGED=false',
    ]);
  });

  test('variables of a plugin repository hold its settings', () => {
    const settings = [
      { key: 'url', value: 'u', isSecret: false },
      { key: 'api.key', value: 'k', isSecret: true },
    ];
    assert.deepEqual(materialLines({ type: 'plugin', name: 'my scm', label: 'r1', settings, isChanged: true }), [
      'GO_SCM_MY_SCM_LABEL=r1',
      'GO_SCM_MY_SCM_URL=u',
      '*GO_SCM_MY_SCM_API_KEY=k',
      'GO_MATERIAL_MY_SCM_HAS_CHANGED=true',
    ]);
  });

  test('any name gives a variable name of the same length', () => {
    assert.equal(asVariableName('straße.ü-1'), 'STRA_E___1');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        assert.match(asVariableName(name), /^[A-Z0-9_]*$/);
        assert.equal(asVariableName(name).length, [...name].length);
        assert.equal(asVariableName(name), asVariableName(asVariableName(name)));
      }),
    );
  });
});

test('the variable of a client workspace of Perforce has the name of the material, else its directory, else none', () => {
  assert.equal(p4ClientVariable({ name: 'my-lib', destination: 'x' }), 'GO_P4_CLIENT_MY_LIB');
  assert.equal(p4ClientVariable({ name: null, destination: 'a/b' }), 'GO_P4_CLIENT_A_B');
  assert.equal(p4ClientVariable({ name: null, destination: null }), 'GO_P4_CLIENT');
});

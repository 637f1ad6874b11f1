import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../kit/bytes/hash.ts';
import { fingerprintOf, type Identity, identityProperties } from './fingerprint.ts';

/** The worked examples of GoCD. */
const EXAMPLES: readonly (readonly [Identity, text: string, fingerprint: string])[] = [
  [
    { type: 'git', url: 'https://git.example.com/app.git', branch: 'master' },
    'type=GitMaterial<|>url=https://git.example.com/app.git<|>branch=master',
    '361006ab8e0a38f61e256c91dd109ad7629b25568b29cecc42e251ebde33a71e',
  ],
  [
    { type: 'git', url: 'https://bob:pass@git.example.com/app', branch: 'feature' },
    'type=GitMaterial<|>url=https://bob:pass@git.example.com/app<|>branch=feature',
    'fe28ea241379bb9237df99af7c855fff4af0d6159d2a1f9da6abeeb35413ff52',
  ],
  [
    { type: 'hg', url: 'https://bob:pass@hg.example.com/app#feature' },
    'type=HgMaterial<|>url=https://bob:pass@hg.example.com/app#feature',
    '2d91f757dcd6a6a1ecb6d7ec58daf837259a47a7f8b41c186b45127a0e02f35d',
  ],
  [
    { type: 'hg', url: 'https://bob:pass@hg.example.com/app', branch: 'feature' },
    'type=HgMaterial<|>url=https://bob:pass@hg.example.com/app<|>branch=feature',
    '5a78b111047497fe9bc819f6952a6ba91d1c99a1c0d8cade40ef74a24b3e267e',
  ],
  [
    { type: 'svn', url: 'https://svn.example.com/repo/trunk', username: null, checkExternals: false },
    'type=SvnMaterial<|>url=https://svn.example.com/repo/trunk<|>username=null<|>checkExternals=false',
    '8d0629fc55e6ebc3c02d0ff7e5af77dbe3c2d0079ef034d04e7ab9100029e793',
  ],
  [
    { type: 'svn', url: 'https://svn.example.com/repo/trunk', username: 'admin', checkExternals: true },
    'type=SvnMaterial<|>url=https://svn.example.com/repo/trunk<|>username=admin<|>checkExternals=true',
    '85b9a25518b9a64dc968d5e3d76445a031855afddd2c42d9faf75db54b5b316c',
  ],
  [
    { type: 'p4', port: 'p4.example.com:1666', username: 'bob', view: '//depot/dir1/... //something/...' },
    'type=P4Material<|>url=p4.example.com:1666<|>username=bob<|>view=//depot/dir1/... //something/...',
    '10d39509a94db9eba0d84c838b544b4c3e7b046404b86c33caf5fef8030eb3b0',
  ],
  [
    { type: 'tfs', url: 'https://tfs.example.com/collection', username: 'bob', domain: 'CORP', projectPath: '$/app' },
    'type=TfsMaterial<|>url=https://tfs.example.com/collection<|>username=bob<|>domain=CORP<|>projectPath=$/app',
    'a31db55b15a22b7a9b7523bfc711d76e8e8f199be6b050e5b8e5ea3fa9b6ef3b',
  ],
  [
    { type: 'dependency', pipeline: 'up42', stage: 'up42_stage' },
    'type=DependencyMaterial<|>pipelineName=up42<|>stageName=up42_stage',
    '21f7963a8eca6cced5b4f20b57b4e9cb8edaed29d683c83621a77dfb499c553d',
  ],
  [
    {
      type: 'package',
      pluginId: 'npm',
      properties: [{ key: 'PACKAGE_NAME', value: 'left-pad' }],
      repositoryProperties: [{ key: 'REPO_URL', value: 'https://npm.example.com' }],
    },
    'plugin-id=npm<|>PACKAGE_NAME=left-pad<|>REPO_URL=https://npm.example.com',
    '8dbf51f0f9504fbe90a5954ee9415baabb04e011b3fda8b6e953e400b269b0f5',
  ],
  [
    { type: 'plugin', pluginId: 'github.pr', properties: [{ key: 'url', value: 'https://git.example.com/app.git' }] },
    'plugin-id=github.pr<|>url=https://git.example.com/app.git',
    '54fb351c3947df59599479f759e6c06067f94b316cf5cedd1518d3017ab1c01d',
  ],
];

test('the examples of GoCD have the fingerprints of GoCD', () => {
  for (const [identity, text, fingerprint] of EXAMPLES) {
    assert.equal(fingerprintOf(identity), fingerprint, text);
    assert.equal(sha256(text), fingerprint, text);
  }
});

test('attributes that are not set count as GoCD counts them', () => {
  assert.equal(fingerprintOf({ type: 'git', url: 'https://git.example.com/app.git' }), EXAMPLES[0]![2], 'the default branch is written');
  assert.equal(fingerprintOf({ type: 'git', url: 'https://git.example.com/app.git', branch: ' ' }), EXAMPLES[0]![2]);
  assert.equal(fingerprintOf({ type: 'hg', url: 'https://bob:pass@hg.example.com/app#feature', branch: '' }), EXAMPLES[2]![2]);
  assert.equal(
    fingerprintOf({ type: 'p4', port: 'p:1', view: '//a/... //b/...' }),
    sha256('type=P4Material<|>url=p:1<|>username=null<|>view=//a/... //b/...'),
  );
  assert.equal(
    fingerprintOf({ type: 'tfs', url: 'u', username: 'bob', projectPath: '$/app' }),
    sha256('type=TfsMaterial<|>url=u<|>username=bob<|>domain=<|>projectPath=$/app'),
  );
  assert.equal(
    fingerprintOf({ type: 'plugin', pluginId: 'p', properties: [{ key: 'A' }, { key: 'B', value: null }, { key: 'C', value: '' }] }),
    sha256('plugin-id=p<|>A=<|>B=<|>C='),
  );
});

test('a refspec stands as configured, text that is not ASCII as UTF-8', () => {
  assert.equal(
    fingerprintOf({ type: 'git', url: '/repo/ä', branch: 'refs/pull/1/head:pr-1' }),
    sha256(Buffer.from('type=GitMaterial<|>url=/repo/ä<|>branch=refs/pull/1/head:pr-1', 'utf8')),
  );
});

test('properties that are no part of the identity are left out, unknown ones stay', () => {
  const properties = [
    { key: 'URL', value: 'u' },
    { key: 'NOTE', value: 'n' },
    { key: 'OLD', value: 'o' },
  ];
  const known = new Map([
    ['URL', true],
    ['NOTE', false],
  ]);
  assert.deepEqual(
    identityProperties(properties, (key) => known.get(key)).map(({ key }) => key),
    ['URL', 'OLD'],
  );
  assert.equal(identityProperties(properties).length, 3, 'the plugin is not installed');
});

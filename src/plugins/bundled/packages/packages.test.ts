// Tests the settings of the plugins that watch packages.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plugin, SettingsBlock } from '../../../contracts/plugins/plugin.ts';
import { keysOf, type Settings, testSettings } from '../../test-support.ts';
import { debianPackagePlugin } from './debian.ts';
import { httpJsonPackagePlugin } from './http-json.ts';
import { npmPackagePlugin } from './npm.ts';

const repositories: readonly {
  plugin: Plugin & { blocks: { repository: SettingsBlock } };
  id: string;
  keys: string[];
  secrets: string[];
  flawless: Settings;
}[] = [
  {
    plugin: npmPackagePlugin,
    id: 'slipway.package.npm',
    keys: ['REPO_URL', 'USERNAME', 'PASSWORD', 'TOKEN'],
    secrets: ['PASSWORD', 'TOKEN'],
    flawless: { REPO_URL: 'https://npm.example.com' },
  },
  {
    plugin: debianPackagePlugin,
    id: 'slipway.package.debian',
    keys: ['REPO_URL', 'USERNAME', 'PASSWORD', 'SUITE', 'COMPONENT', 'ARCHITECTURE'],
    secrets: ['PASSWORD'],
    flawless: { REPO_URL: 'http://deb.example.com/debian', SUITE: 'stable' },
  },
  {
    plugin: httpJsonPackagePlugin,
    id: 'slipway.package.http-json',
    keys: ['REPO_URL', 'USERNAME', 'PASSWORD', 'TOKEN'],
    secrets: ['PASSWORD', 'TOKEN'],
    flawless: { REPO_URL: 'https://releases.example.com' },
  },
];

for (const { plugin, id, keys, secrets, flawless } of repositories) {
  describe(`repository of ${id}`, () => {
    test(`${id} has its settings, of which the right ones are secret`, () => {
      assert.equal(plugin.id, id);
      assert.deepEqual(keysOf(plugin.blocks.repository), keys);
      assert.deepEqual(
        keysOf(plugin.blocks.repository, ({ secure }) => secure),
        secrets,
      );
    });
    testSettings(plugin.blocks.repository, flawless, [
      ['no URL', { REPO_URL: '' }, ['REPO_URL', 'REPO_URL must not be blank.']],
      ['not a URL', { REPO_URL: 'npm' }, ['REPO_URL', 'REPO_URL must be a valid http or https URL.']],
      ['another protocol', { REPO_URL: 'ftp://a.example.com' }, ['REPO_URL', 'REPO_URL must be a valid http or https URL.']],
      [
        'credentials in the URL',
        { REPO_URL: 'https://u:p@a.example.com' },
        ['REPO_URL', 'REPO_URL must not contain credentials. Please use USERNAME and PASSWORD.'],
      ],
      ['user name and password', { USERNAME: 'u', PASSWORD: 'p' }],
      ['user name alone', { USERNAME: 'u' }],
      ['password alone', { PASSWORD: 'p' }, ['USERNAME', 'USERNAME cannot be blank when PASSWORD is provided.']],
      ['unknown keys are ignored', { Extra: '1' }],
    ]);
  });
}

describe('suite of a Debian archive', () => {
  testSettings(debianPackagePlugin.blocks.repository, { REPO_URL: 'http://deb.example.com', SUITE: 'stable' }, [
    ['blank', { SUITE: '' }, ['SUITE', 'SUITE must not be blank.']],
  ]);
});

test('credentials are no part of the identity of a repository', () => {
  for (const { plugin, keys } of repositories) {
    const others = keysOf(plugin.blocks.repository, ({ isPartOfIdentity }) => isPartOfIdentity !== false);
    assert.deepEqual(
      others,
      keys.filter((key) => !['USERNAME', 'PASSWORD', 'TOKEN'].includes(key)),
    );
  }
});

describe('npm package', () => {
  const noName = ['PACKAGE_NAME', 'PACKAGE_NAME must be the name of an npm package, for example left-pad or @team/left-pad.'] as const;
  const noRange = ['VERSION_RANGE', 'VERSION_RANGE must be a range of versions, for example ^2.1.0 or 3.x.'] as const;
  testSettings(npmPackagePlugin.blocks.package, { PACKAGE_NAME: 'left-pad', DIST_TAG: 'next' }, [
    ['no name', { PACKAGE_NAME: '' }, ['PACKAGE_NAME', 'PACKAGE_NAME must not be blank.']],
    ['a scope', { PACKAGE_NAME: '@team/left-pad' }],
    ['an old name', { PACKAGE_NAME: 'JSONStream' }],
    ['a path', { PACKAGE_NAME: 'left/pad' }, noName],
    ['a way up', { PACKAGE_NAME: '..' }, noName],
    ['an address', { PACKAGE_NAME: 'https://evil.example.org' }, noName],
    ['a range instead of a tag', { DIST_TAG: '', VERSION_RANGE: '^1.2.0 || 3.x' }],
    ['both', { VERSION_RANGE: '1.x' }, ['VERSION_RANGE', 'Please give either DIST_TAG or VERSION_RANGE, not both.']],
    ['no range', { DIST_TAG: '', VERSION_RANGE: 'newest' }, noRange],
  ]);
});

describe('Debian package', () => {
  const noName = 'PACKAGE_NAME must be the name of a Debian package: small letters, digits, plus, minus and periods.';
  testSettings(debianPackagePlugin.blocks.package, { PACKAGE_NAME: 'hello' }, [
    ['no name', { PACKAGE_NAME: '' }, ['PACKAGE_NAME', 'PACKAGE_NAME must not be blank.']],
    ['signs', { PACKAGE_NAME: 'libstdc++-12-dev' }],
    ['two words', { PACKAGE_NAME: 'hello world' }, ['PACKAGE_NAME', noName]],
    ['capital letters', { PACKAGE_NAME: 'Hello' }, ['PACKAGE_NAME', noName]],
  ]);
});

describe('version in a JSON document', () => {
  const invalid = ['REVISION_POINTER', 'REVISION_POINTER must be a JSON pointer, for example /latest/version.'] as const;
  testSettings(httpJsonPackagePlugin.blocks.package, { PACKAGE_PATH: 'app/releases.json', REVISION_POINTER: '/0/tag~1name' }, [
    [
      'all blank',
      { PACKAGE_PATH: '', REVISION_POINTER: '' },
      ['PACKAGE_PATH', 'PACKAGE_PATH must not be blank.'],
      ['REVISION_POINTER', 'REVISION_POINTER must not be blank.'],
    ],
    ['pointer without a slash', { REVISION_POINTER: 'version' }, invalid],
    ['pointer with a bad escape', { REVISION_POINTER: '/a~2' }, invalid],
  ]);
});

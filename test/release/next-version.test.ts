// The changes of a release to the changelog and to the files that name its version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withVersion } from '../../tools/release/archives.ts';
import { changelogSection, releasedChangelog, versionProblem, withManifestVersion } from '../../tools/release/next-version.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- More.\n\n## 0.1.0\n\nThe first.\n';

test('the changelog gives the unreleased changes a version and a day, and has a place for the next ones', () => {
  const released = releasedChangelog(CHANGELOG, '0.2.0', '2026-01-31');
  assert.equal(released, '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-01-31)\n\n### Added\n\n- More.\n\n## 0.1.0\n\nThe first.\n');
  assert.equal(changelogSection(released, '0.2.0'), '### Added\n\n- More.');
  assert.equal(changelogSection(released, '0.1.0'), 'The first.');
  assert.equal(changelogSection(released, '9.9.9'), undefined);
  assert.throws(() => releasedChangelog(released, '0.3.0', '2026-02-01'), /is empty/);
  assert.throws(() => releasedChangelog('# Changelog\n', '0.3.0', '2026-02-01'), /has no section/);
});

test('a version must be one, and a new one', () => {
  assert.equal(versionProblem('0.2.0', ['v0.1.0']), undefined);
  assert.equal(versionProblem('1.0.0-rc.1', []), undefined);
  assert.match(versionProblem('', [])!, /is no version/);
  assert.match(versionProblem('v1.2.3', [])!, /is no version/);
  assert.match(versionProblem('0.1.0', ['v0.1.0'])!, /already/);
});

test('only the own version is written, not those of dependencies', () => {
  const lock =
    '{\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "version": "0.1.0"\n    },\n    "a": {\n      "version": "0.1.0"\n';
  assert.equal(withManifestVersion(lock, '0.2.0', 2).match(/0\.2\.0/g)?.length, 2);
  assert.match(withManifestVersion(lock, '0.2.0', 2), /"a": \{\n {6}"version": "0\.1\.0"/);
  assert.equal(withVersion('version: 0.1.0\nappVersion: "0.1.0"\n', '0.2.0'), 'version: 0.2.0\nappVersion: "0.2.0"\n');
});

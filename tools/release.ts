// Makes a release: node tools/release.ts 1.2.3
// Gives the changes since the last one this version, commits and tags that, and makes the packages of the commit. Nothing is pushed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL, writePackages } from './package.ts';
import { withVersion } from './release/archives.ts';
import { ROOT } from './release/lockfile.ts';
import { changelogSection, releasedChangelog, versionProblem, withManifestVersion } from './release/next-version.ts';
import { git, readSource, uncommitted } from './release/source.ts';

const EDITED = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'deploy/helm/slipway/Chart.yaml'] as const;

function edit(file: (typeof EDITED)[number], change: (text: string) => string): void {
  const path = join(ROOT, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function problemOf(version: string): string | undefined {
  const changed = uncommitted();
  if (changed.length > 0) return `Commit or discard these changes first:\n${changed.join('\n')}`;
  return versionProblem(version, git('tag').split('\n'));
}

async function release(version: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  edit('CHANGELOG.md', (text) => releasedChangelog(text, version, day));
  edit('package.json', (text) => withManifestVersion(text, version, 1));
  edit('package-lock.json', (text) => withManifestVersion(text, version, 2));
  edit('deploy/helm/slipway/Chart.yaml', (text) => withVersion(text, version));
  git('add', ...EDITED);
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Slipway ${version}`);
  const folder = join(ROOT, 'dist');
  await writePackages(folder, ALL, readSource({})).catch((failure: unknown) => {
    process.stderr.write(`The packages could not be made. To undo the commit: git tag --delete v${version} && git reset --hard HEAD~1\n`);
    throw failure;
  });
  const notes = changelogSection(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`);
  process.stdout.write(
    `The commit and the tag v${version} are here only, and the packages in ${folder}: look at them, then push and publish.\n`,
  );
}

const [version = ''] = process.argv.slice(2);
const problem = problemOf(version);
if (problem === undefined) await release(version);
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

// Gives the changes since the last release a version: in the changelog, in package.json and in the lockfile.

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const UNRELEASED = '## Unreleased';

/** Undefined: it can be the next one. */
export function versionProblem(version: string, tags: readonly string[]): string | undefined {
  if (!VERSION.test(version)) return `${version} is no version: it must look like 1.2.3 or 1.2.3-rc.1.`;
  if (tags.includes(`v${version}`)) return `There is a tag v${version} already.`;
  return undefined;
}

/** `day`: as 2026-01-31. The next release gets an empty section above. */
export function releasedChangelog(changelog: string, version: string, day: string): string {
  const section = changelogSection(changelog, 'Unreleased');
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}".`);
  if (section === '') throw new Error(`The section "${UNRELEASED}" of CHANGELOG.md is empty: there is nothing to release.`);
  return changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} (${day})\n`);
}

/** The text below a heading, up to the next one of its kind; undefined: there is no such heading. */
export function changelogSection(changelog: string, name: string): string | undefined {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${name}` || line.startsWith(`## ${name} (`));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/** The version stands first in package.json, and twice first in the lockfile: dependencies follow. */
export function withManifestVersion(text: string, version: string, times: 1 | 2): string {
  let left = times;
  return text.replace(/^( +"version": )"[^"]*"/gm, (whole, start: string) => (left-- > 0 ? `${start}"${version}"` : whole));
}

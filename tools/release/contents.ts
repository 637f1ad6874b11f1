// The content of every package, of any form: the bundle of server, agent and command line, the pages, and how to start them.
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { buildInto } from '../build.mjs';
import { type Entry, textEntry } from './entry.ts';
import { thirdPartyLicenses } from './licenses.ts';
import { ROOT } from './lockfile.ts';

const DOCUMENTS = ['CHANGELOG.md', 'LICENSE'];
export const LAUNCHERS = join(ROOT, 'deploy', 'launcher');

/** Without package.json, which differs. */
export async function commonContents(): Promise<readonly Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-package-'));
  try {
    await buildInto(folder, { isPackaged: true });
    return [
      ...filesIn(folder).map((name) => fileEntry(`build/${name}`, join(folder, name))),
      ...DOCUMENTS.map((name) => fileEntry(name, join(ROOT, name))),
      fileEntry('README.md', join(LAUNCHERS, 'README.md')),
      textEntry('THIRD-PARTY-LICENSES.txt', thirdPartyLicenses()),
      fileEntry('bin/slipway.mjs', join(LAUNCHERS, 'slipway.mjs'), true),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function fileEntry(name: string, path: string, isProgram = false): Entry {
  return { name, content: readFileSync(path), isProgram };
}

export function filesIn(folder: string): readonly string[] {
  return globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'));
}

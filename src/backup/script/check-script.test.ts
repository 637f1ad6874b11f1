import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { scriptProblem } from './check-script.ts';
import { FORBIDDEN_LOCATION, serverFolders } from './rules.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-script-'));
after(() => rmSync(directory, { recursive: true }));
const inside = (...names: string[]) => join(directory, ...names);
mkdirSync(inside('artifacts', 'serverBackups'), { recursive: true });
for (const name of ['runs', 'artifacts/runs', 'artifacts/serverBackups/runs']) writeFileSync(inside(name), '#!/bin/sh\n', { mode: 0o700 });
writeFileSync(inside('does-not-run'), '#!/bin/sh\n', { mode: 0o600 });
symlinkSync(inside('artifacts', 'runs'), inside('leads-to-artifacts'));
const folders = serverFolders({ artifactsDir: inside('artifacts'), dataDir: directory });

describe('a script after backups', () => {
  const cases: Readonly<Record<string, readonly [script: string, problem: string | undefined]>> = {
    'a program': [inside('runs'), undefined],
    'a program beside the backups': [inside('artifacts', 'serverBackups', 'runs'), undefined],
    'a program among artifacts': [inside('artifacts', 'runs'), FORBIDDEN_LOCATION],
    'a link to a program among artifacts': [inside('leads-to-artifacts'), FORBIDDEN_LOCATION],
    'no file': [inside('nothing'), 'There is no such file.'],
    'a path through a file': [inside('runs', 'nothing'), 'There is no such file.'],
    'a folder': [directory, 'This is not a file.'],
    'a file that is no program': [inside('does-not-run'), 'The file is not executable. Run chmod u+x on it.'],
    'a bare name': ['runs', undefined],
    'a bare name that is nowhere': ['nothing', 'There is no such program in the PATH of the server.'],
  };
  for (const [what, [script, problem]] of Object.entries(cases)) {
    test(`a script after backups is checked: ${what}`, () =>
      assert.equal(scriptProblem(script, folders, ['/nowhere', directory].join(':')), problem));
  }
});

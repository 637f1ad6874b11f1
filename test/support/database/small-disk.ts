// A disk that can run full, for tests that may mount one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A file system of its own, of some megabytes; none where that is not permitted. */
export function smallDisk(context: TestContext, megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'slipway-test', folder], { stdio: 'pipe' });
  } catch (failure) {
    rmSync(folder, { recursive: true });
    context.skip(`a file system could not be mounted: ${String(failure).slice(0, 100)}`);
    return undefined;
  }
  context.after(() => {
    execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

// Verifies a backup: restores it into a scratch directory, and compares what comes out with what the server had.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../data-files.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { NotABackup } from '../manifest.ts';
import { checkDatabase } from './check-database.ts';
import { checkHistory } from './check-history.ts';
import { bytesOf, manifestIn, readFolder } from './read-folder.ts';

export interface VerifyOrder {
  readonly folder: string;
  /** A directory that does not exist yet, and does not exist any more afterwards. */
  readonly scratch: string;
}

export interface VerifyResult {
  /** Everything that is not as it should be. */
  readonly problems: readonly string[];
}

export async function verifyBackup({ folder, scratch }: VerifyOrder, report: ReportProgress): Promise<VerifyResult> {
  mkdirSync(scratch, { mode: 0o700 });
  try {
    const manifest = manifestIn(folder);
    report({ total: bytesOf(manifest) });
    const damaged = await readFolder(folder, manifest, { into: scratch, onBytes: (bytes) => report({ bytes }) });
    // One damaged byte makes many differences: the byte itself says more.
    if (damaged.length > 0) return { problems: damaged };
    return { problems: [...checkDatabase(join(scratch, DATABASE_FILE), manifest), ...(await checkHistory(scratch, manifest.commit))] };
  } catch (failure) {
    if (failure instanceof NotABackup) return { problems: [failure.message] };
    throw failure;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

// Verifies a backup: restores it into a scratch directory, and compares the result with the state of the server at the backup.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileDurably } from '../../kit/bytes/durable-file.ts';
import { DATABASE_FILE } from '../data-files.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { MANIFEST, type Manifest, type Verification, writeManifest } from '../manifest.ts';
import { NotABackup } from '../read-manifest.ts';
import { checkDatabase } from './check-database.ts';
import { checkHistory } from './check-history.ts';
import { checkKey } from './check-key.ts';
import { bytesOf, manifestIn, readFolder } from './read-folder.ts';

const MODE = 0o600;

export interface VerifyOrder {
  readonly folder: string;
  /** A directory that does not exist yet, and does not exist any more afterwards. */
  readonly scratch: string;
}

export interface VerifyResult {
  /** Everything that is not as it should be. */
  readonly problems: readonly string[];
  /** The size of the folder now that its manifest says so. */
  readonly bytes?: number;
}

export async function verifyBackup({ folder, scratch }: VerifyOrder, report: ReportProgress): Promise<VerifyResult> {
  mkdirSync(scratch, { mode: 0o700 });
  try {
    const manifest = manifestIn(folder);
    report({ total: bytesOf(manifest) });
    const { problems: damaged, sha256 } = await readFolder(folder, manifest, {
      into: scratch,
      durability: 'gentle',
      isDigested: true,
      onBytes: (bytes) => report({ bytes }),
    });
    // One damaged byte makes many differences: the byte itself says more.
    if (damaged.length > 0) return { problems: damaged };
    const inDatabase = checkDatabase(join(scratch, DATABASE_FILE), manifest);
    // The secrets of a database that is not as it was say nothing about the key.
    const inKey = inDatabase.length > 0 ? [] : checkKey(scratch);
    const problems = [...inDatabase, ...inKey, ...(await checkHistory(scratch, manifest.commit))];
    return problems.length === 0 ? { problems, bytes: noteVerified(folder, manifest, sha256) } : { problems };
  } catch (failure) {
    if (failure instanceof NotABackup) return { problems: [failure.message] };
    throw failure;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function noteVerified(folder: string, manifest: Manifest, sha256: Verification['sha256']): number {
  const text = writeManifest({ ...manifest, verified: { at: new Date().toISOString(), sha256 } });
  writeFileDurably(join(folder, MANIFEST), text, MODE);
  return bytesOf(manifest) + text.length;
}

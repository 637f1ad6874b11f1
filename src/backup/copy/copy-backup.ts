// Has a backup copied to the bucket, and keeps the state that is needed to go on after a crash.
import { basename } from 'node:path';
import type { HealthMessages } from '../../health/messages.ts';
import { withHandledRejection } from '../../kit/concurrency/handled-rejection.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import type { JobOptions } from '../jobs/run-job.ts';
import type { BackupRecord, CopyOutcome } from '../record.ts';
import type { BackupTable } from '../record-table.ts';
import { addressIn, type Bucket } from './bucket.ts';
import type { CopyOrder, CopyResult, CopyState } from './copy-folder.ts';

export interface CopyParts {
  readonly table: Pick<BackupTable, 'copyState' | 'saveCopyState'>;
  readonly runJob: (job: 'copy', order: CopyOrder, options: JobOptions) => Promise<CopyResult>;
  readonly signal: AbortSignal;
  readonly health: HealthMessages;
  readonly onProgress: ReportProgress;
}

/** The state of a copy is valid for its address only. */
interface StoredCopyState {
  readonly address: string;
  readonly files: CopyState;
}

/** The subject of the health message. */
export const UNCOPIED = 'backup copy';

/** A copy that fails does not make the backup a bad one: it is tried again as long as the folder is there. */
export async function copyBackup(
  { table, runJob, signal, health, onProgress }: CopyParts,
  { id, path }: Pick<BackupRecord, 'id' | 'path'>,
  bucket: Bucket,
  save: (copy: CopyOutcome) => Promise<void>,
): Promise<void> {
  const address = addressIn(bucket, basename(path));
  await save({ status: 'running', address, message: '' });
  const kept = (await table.copyState(id)) as StoredCopyState | undefined;
  let keeping: Promise<void> = Promise.resolve();
  const keep = (files: CopyState) => {
    const saved = keeping.then(() => table.saveCopyState(id, { address, files } satisfies StoredCopyState));
    keeping = withHandledRejection(saved); // it is awaited when the job has ended
  };
  try {
    await runJob(
      'copy',
      { folder: path, bucket, state: kept?.address === address ? kept.files : undefined },
      {
        signal,
        onProgress: (progress) => {
          if (progress.note !== undefined) keep(progress.note as CopyState);
          onProgress(progress);
        },
      },
    );
    await keeping;
    await save({ status: 'completed', address, message: '' });
    health.clear(UNCOPIED);
  } catch (failure) {
    await Promise.allSettled([keeping]); // files whose state could not be saved are copied again
    if (signal.aborted) throw failure;
    const { message } = failure as Error;
    await save({ status: 'waiting', address, message });
    health.raise(UNCOPIED, 'WARNING', 'Unable to copy a backup to the bucket.', message);
  }
}

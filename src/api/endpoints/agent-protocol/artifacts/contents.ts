// The contents of many files, one after the other: small ones are read many at once, and the next ones while these are sent.

import type { JobIdentifier } from '../../../../artifacts/stage-run.ts';
import type { ArtifactStorage } from '../../../../artifacts/storage/storage.ts';
import { MAX_ARCHIVED_BYTES } from '../../../../contracts/agent-protocol/messages.ts';
import { withHandledRejection } from '../../../../kit/concurrency/handled-rejection.ts';
import type { Artifact } from '../../../../store/builds/artifacts.ts';

const BATCH_FILES = 200;

export interface FileContent {
  readonly row: Artifact;
  /** Absent: it is gone. */
  readonly content?: Iterable<Buffer> | AsyncIterable<Buffer> | undefined;
}

export async function* contentsOf(
  storage: Pick<ArtifactStorage, 'read' | 'readAll'>,
  job: JobIdentifier,
  rows: readonly Artifact[],
): AsyncGenerator<FileContent> {
  const read = (batch: readonly Artifact[]) => withHandledRejection(readBatch(storage, job, batch));
  let next: Promise<readonly FileContent[]> = Promise.resolve([]);
  for (const batch of batchesOf(rows)) {
    const current = next;
    next = read(batch);
    yield* await current;
  }
  yield* await next;
}

async function readBatch(
  storage: Pick<ArtifactStorage, 'read' | 'readAll'>,
  job: JobIdentifier,
  batch: readonly Artifact[],
): Promise<readonly FileContent[]> {
  const [first] = batch;
  if (first && first.bytes > MAX_ARCHIVED_BYTES) return [{ row: first, content: await storage.read(job, first.path) }];
  const contents = await storage.readAll(job, batch);
  return batch.map((row, index) => ({ row, content: contents[index] && [contents[index]] }));
}

/** A large one is alone. */
function* batchesOf(rows: readonly Artifact[]): Generator<readonly Artifact[]> {
  let [batch, sum]: [Artifact[], number] = [[], 0];
  for (const row of rows) {
    if (batch.length > 0 && (batch.length >= BATCH_FILES || sum + row.bytes > MAX_ARCHIVED_BYTES)) {
      yield batch;
      [batch, sum] = [[], 0];
    }
    batch.push(row);
    sum += row.bytes;
  }
  if (batch.length > 0) yield batch;
}

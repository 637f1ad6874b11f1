// Copies some files of a job to another storage as if they were sent there, and reads each again: only the copy counts.
import { inParallel } from '../../kit/concurrency/in-parallel.ts';
import type { Artifact } from '../../store/builds/artifacts.ts';
import type { JobIdentifier } from '../stage-run.ts';
import type { ArtifactStorage, FileFacts, SmallFile, Uploader } from '../storage/storage.ts';

export interface MoveStorages {
  readonly from: Pick<ArtifactStorage, 'read'>;
  readonly to: ArtifactStorage;
}

export interface CopyFaults {
  /** In neither storage. */
  readonly missing: readonly string[];
  /** Files with other content than the published one. */
  readonly damaged: readonly string[];
}

/** Distinguishes it from all assignments of agents, and from uploads of people. */
const EPOCH = 999_999_999_999_999;
const SMALL_BYTES = 1024 * 1024;
const AT_A_TIME = 8;

export async function copyPage({ from, to }: MoveStorages, job: JobIdentifier, rows: readonly Artifact[]): Promise<CopyFaults> {
  const uploader = { job: rows[0]!.job_id, epoch: EPOCH };
  // A move that was killed may have left something.
  await to.discard(uploader);
  const files = rows.filter(({ path }) => !path.endsWith('/'));
  const small = files.filter(({ bytes }) => bytes <= SMALL_BYTES);
  await to.receiveAll(uploader, contents(from, job, small));
  await inParallel(
    files.filter(({ bytes }) => bytes > SMALL_BYTES),
    AT_A_TIME,
    (file) => copyLarge({ from, to }, uploader, job, file),
  );
  const came = await to.finished(
    uploader,
    files.map(({ path }) => path),
  );
  const good = rows.filter((row) => row.path.endsWith('/') || isSame(came.get(row.path), row));
  await to.publish(
    uploader,
    job,
    good.map(({ path }) => path),
  );
  await to.discard(uploader);
  return verify(to, job, files, came);
}

async function* contents(from: MoveStorages['from'], job: JobIdentifier, files: readonly Artifact[]): AsyncGenerator<SmallFile> {
  for (const { path } of files) {
    const content = await from.read(job, path);
    if (!content) continue;
    const pieces: Buffer[] = [];
    for await (const piece of content as AsyncIterable<Buffer>) pieces.push(piece);
    yield { path, bytes: Buffer.concat(pieces) };
  }
}

async function copyLarge({ from, to }: MoveStorages, uploader: Uploader, job: JobIdentifier, { path }: Artifact): Promise<void> {
  const content = await from.read(job, path);
  if (!content) return;
  const file = await to.receive(uploader, path, 'start');
  for await (const piece of content as AsyncIterable<Buffer>) await file.append(piece);
  await file.finish();
}

/** A file that is missing in the old storage may have been moved before. */
async function verify(
  to: ArtifactStorage,
  job: JobIdentifier,
  files: readonly Artifact[],
  came: ReadonlyMap<string, FileFacts>,
): Promise<CopyFaults> {
  const [missing, damaged]: [string[], string[]] = [[], []];
  await inParallel(files, AT_A_TIME, async (file) => {
    if (isSame(await to.examine(job, file.path), file)) return;
    (came.has(file.path) ? damaged : missing).push(nameOf(job, file.path));
  });
  return { missing: missing.toSorted(), damaged: damaged.toSorted() };
}

function isSame(facts: FileFacts | undefined, { bytes, sha256 }: Artifact): boolean {
  return facts?.sha256 === sha256 && facts.bytes === bytes;
}

function nameOf({ pipeline, pipelineCounter, stage, stageCounter, job }: JobIdentifier, path: string): string {
  return [pipeline, pipelineCounter, stage, stageCounter, job, path].join('/');
}

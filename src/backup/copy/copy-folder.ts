// Copies the folder of a backup to a bucket, and resumes a copy that was interrupted.
import { readdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { S3Client } from '../../kit/s3/client.ts';
import { BucketFailure } from '../../kit/s3/failure.ts';
import { type Part, partsOf } from '../../kit/s3/parts.ts';
import { makeRetry, type Retry } from '../../kit/s3/retry.ts';
import type { ReportProgress } from '../jobs/progress.ts';
import { MANIFEST } from '../manifest.ts';
import { type Bucket, bucketClient, keyOf } from './bucket.ts';

/** The progress of each file. */
export type CopyState = Readonly<Record<string, FileState>>;
interface FileState {
  readonly isDone?: boolean;
  readonly upload?: string;
  /** The tags of the first parts. */
  readonly tags?: readonly string[];
}

export interface CopyOrder {
  readonly folder: string;
  readonly bucket: Bucket;
  readonly state: CopyState | undefined;
  /** The pause before the second attempt of a request; each one after that is twice as long. */
  readonly firstPauseMs?: number;
}

export interface CopyResult {
  readonly bytes: number;
}

const FIRST_PAUSE_MS = 1000;

export async function copyFolder(
  { folder, bucket, state = {}, firstPauseMs = FIRST_PAUSE_MS }: CopyOrder,
  report: ReportProgress,
): Promise<CopyResult> {
  const client = bucketClient(bucket);
  const files = new Map(Object.entries(state));
  const keep = (name: string, file: FileState) => {
    files.set(name, file);
    report({ note: Object.fromEntries(files) satisfies CopyState });
  };
  const again = makeRetry(firstPauseMs);
  const opened: { name: string; handle: FileHandle; bytes: number }[] = [];
  try {
    for (const name of inOrder(readdirSync(folder))) {
      const handle = await open(join(folder, name));
      opened.push({ name, handle, bytes: (await handle.stat()).size });
    }
    const bytes = opened.reduce((sum, file) => sum + file.bytes, 0);
    report({ total: bytes });
    for (const { name, handle, bytes: size } of opened) {
      const key = keyOf(bucket.prefix, `${basename(folder)}/${name}`);
      const send = () =>
        sendFile({
          client,
          key,
          handle,
          parts: partsOf(size),
          state: files.get(name) ?? {},
          again,
          keep: (file) => keep(name, file),
          report,
        });
      if (files.get(name)?.isDone) {
        report({ bytes: size });
        continue;
      }
      const isResumed = files.get(name)?.upload !== undefined;
      await send().catch(async (failure: unknown) => {
        if (!(isResumed && failure instanceof BucketFailure && failure.status !== undefined)) throw failure;
        // It had ended when we did not hear of it any more, or the store has tidied up meanwhile.
        if ((await again(() => client.size(key))) === size) return;
        keep(name, {});
        await send();
      });
      const stored = await again(() => client.size(key));
      if (stored !== size) throw new BucketFailure(`${key} has ${stored ?? 'no'} bytes in the bucket instead of ${size}.`, 200);
      keep(name, { isDone: true });
    }
    return { bytes };
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()));
  }
}

interface FileToSend {
  readonly client: S3Client;
  readonly key: string;
  readonly handle: FileHandle;
  readonly parts: readonly Part[];
  readonly state: FileState;
  readonly again: Retry;
  keep(state: FileState): void;
  readonly report: ReportProgress;
}

async function sendFile({ client, key, handle, parts, state, again, keep, report }: FileToSend): Promise<void> {
  const [only, ...others] = parts;
  if (others.length === 0) {
    const content = await read(handle, only!);
    await again(() => client.put(key, content));
    report({ bytes: content.length });
    return;
  }
  const upload = state.upload ?? (await again(() => client.beginUpload(key)));
  const tags = [...(state.upload === undefined ? [] : (state.tags ?? []))];
  if (state.upload === undefined) keep({ upload, tags });
  report({ bytes: parts.slice(0, tags.length).reduce((sum, { bytes }) => sum + bytes, 0) });
  for (const part of parts.slice(tags.length)) {
    const content = await read(handle, part);
    tags.push(await again(() => client.putPart(key, upload, part.number, content)));
    keep({ upload, tags: [...tags] });
    report({ bytes: part.bytes });
  }
  await again(() => client.endUpload(key, upload, tags));
}

/** The manifest last: where it is, everything else is. */
function inOrder(names: readonly string[]): string[] {
  const whole = names.filter((name) => !name.endsWith('.new'));
  return whole.toSorted((one, other) => Number(one === MANIFEST) - Number(other === MANIFEST) || (one < other ? -1 : 1));
}

async function read(handle: FileHandle, { at, bytes }: Part): Promise<Buffer> {
  const content = Buffer.allocUnsafe(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await handle.read(content, done, bytes - done, at + done);
    if (bytesRead === 0) throw new Error('A file of the backup became shorter while it was copied.');
    done += bytesRead;
  }
  return content;
}

// One file to a bucket or from there: piece by piece, and again where it failed for now.

import { hash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { S3Client } from '../../../kit/s3/client.ts';
import { BucketFailure } from '../../../kit/s3/failure.ts';
import { type Part, partsOf } from '../../../kit/s3/parts.ts';
import { makeRetry, type Retry } from '../../../kit/s3/retry.ts';
import { describeDiskFailure } from '../../task/describe-failure.ts';
import { isAt, OPEN_FLAGS } from '../files/small-file.ts';
import { ExternalFailure, type SourceFile } from './parts.ts';

const FIRST_PAUSE_MS = 500;
const CHANGED = 412;

export interface Transfer {
  readonly signal: AbortSignal;
  /** Called with the number of bytes that have come to their place since the last call. */
  readonly onBytes: (bytes: number) => void;
}

export async function sendFile(client: S3Client, key: string, file: SourceFile, { signal, onBytes }: Transfer): Promise<void> {
  const handle = await open(file.real, OPEN_FLAGS).catch((failure) => Promise.reject(unreadable(file, failure)));
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new ExternalFailure(`${file.name} is no file any more.`);
    if (!isAt(handle.fd, file.real)) throw new ExternalFailure(`${file.name} is not sent: a folder above it has become a link.`);
    const parts = partsOf(facts.size);
    const room = Buffer.allocUnsafe(parts[0]!.bytes);
    const read = (part: Part) => contentOf(handle, part, room, file.name);
    const again = makeRetry(FIRST_PAUSE_MS, signal);
    if (parts.length > 1) return await sendParts(client, key, { parts, read, again, onBytes });
    const content = await read(parts[0]!);
    await again(() => client.put(key, content));
    onBytes(content.length);
  } finally {
    await handle.close();
  }
}

interface PartsToSend {
  readonly parts: readonly Part[];
  readonly read: (part: Part) => Promise<Buffer>;
  readonly again: Retry;
  readonly onBytes: (bytes: number) => void;
}

async function sendParts(client: S3Client, key: string, { parts, read, again, onBytes }: PartsToSend): Promise<void> {
  const upload = await again(() => client.beginUpload(key));
  try {
    const tags: string[] = [];
    for (const part of parts) {
      const content = await read(part);
      tags.push(await again(() => client.putPart(key, upload, part.number, content)));
      onBytes(part.bytes);
    }
    await again(() => client.endUpload(key, upload, tags));
  } catch (failure) {
    // Parts of an upload that never ends cost money. Stores also tidy up by themselves, if they are configured to.
    await client.abandonUpload(key, upload);
    throw failure;
  }
}

async function contentOf(handle: FileHandle, { at, bytes }: Part, room: Buffer, name: string): Promise<Buffer> {
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await handle.read(room, done, bytes - done, at + done);
    if (bytesRead === 0) throw new ExternalFailure(`${name} became shorter while it was sent.`);
    done += bytesRead;
  }
  return room.subarray(0, bytes);
}

function unreadable({ name }: SourceFile, { code, message }: NodeJS.ErrnoException): ExternalFailure {
  return new ExternalFailure(`${name} cannot be read: ${code ?? message}.`);
}

/** Under another name until it is whole. */
export async function receiveFile(client: S3Client, key: string, target: string, { signal, onBytes }: Transfer): Promise<void> {
  const unfinished = join(dirname(target), `.slipway-fetch-${hash('sha256', target).slice(0, 16)}`);
  await onDisk(() => rm(unfinished, { force: true }));
  const handle = await onDisk(() => open(unfinished, 'wx'));
  const again = makeRetry(FIRST_PAUSE_MS, signal);
  const state: ReceiveState = { length: 0, tag: undefined, onBytes };
  try {
    while (!(await again(() => receiveMore(client, key, handle, state)))) signal.throwIfAborted();
    await handle.close();
    await onDisk(() => rename(unfinished, target));
  } catch (failure) {
    await handle.close();
    await rm(unfinished, { force: true });
    signal.throwIfAborted();
    if (failure instanceof BucketFailure && failure.status === CHANGED) throw new ExternalFailure(`${key} changed while it was fetched.`);
    throw failure;
  }
}

interface ReceiveState extends Pick<Transfer, 'onBytes'> {
  length: number;
  tag: string | undefined;
}

/** Whether all of it is there. Rejects where nothing came. */
async function receiveMore(client: S3Client, key: string, handle: FileHandle, state: ReceiveState) {
  const received = await client.get(key, { from: state.length, ...(state.tag && { tag: state.tag }) });
  if (!received) throw new ExternalFailure(`The bucket has no "${key}" any more.`);
  // Some stores ignore the requested range and send the whole object.
  state.length = received.from;
  state.tag = received.tag;
  const before = state.length;
  try {
    for await (const chunk of received.content as AsyncIterable<Buffer>) {
      await onDisk(() => writeAll(handle, chunk, state.length));
      state.length += chunk.length;
      state.onBytes(chunk.length);
    }
    return true;
  } catch (failure) {
    if (failure instanceof ExternalFailure) throw failure;
    if (state.length > before) return false;
    throw new BucketFailure(`${key} cannot be fetched: ${(failure as Error).message}`, undefined, failure);
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at + done);
    done += bytesWritten;
  }
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw new ExternalFailure(describeDiskFailure(failure as NodeJS.ErrnoException));
  }
}

// Fetches an export from a server that runs, and writes it as it comes.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { answerOf, askServer, refusalOf } from '../terminal/ask-server.ts';
import { CommandFailed } from '../terminal/failures.ts';
import type { RemoteServer } from '../terminal/target.ts';

export interface ExportRequest {
  readonly path: string;
  readonly isArchive: boolean;
  /** Only its owner may read the file. */
  readonly isPrivate?: boolean;
}

/** As far as the umask allows. */
const DEFAULT_MODE = 0o666;
const PRIVATE = 0o600;

/** `to` is the path of a file, or a stream, which is left open. */
export async function fetchExport(
  server: RemoteServer,
  { path, isPrivate = false }: ExportRequest,
  to: string | NodeJS.WritableStream,
): Promise<void> {
  const response = await askServer(server, path);
  if (!response.ok || !response.body) throw refusalOf(response, await answerOf(response, server), server);
  const content = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  try {
    if (typeof to === 'string') await writeWhole(content, to, isPrivate ? PRIVATE : DEFAULT_MODE);
    else await pipeline(content, to, { end: false });
  } catch (failure) {
    throw new CommandFailed(`The export could not be written: ${(failure as Error).message}`);
  }
}

/** An existing file stays until all of the new one has come. */
async function writeWhole(content: Readable, file: string, mode: number): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true }); // one that was left behind would keep its mode
    await pipeline(content, createWriteStream(partial, { mode, flags: 'wx' }));
    await rename(partial, file);
  } catch (failure) {
    await rm(partial, { force: true });
    throw failure;
  }
}

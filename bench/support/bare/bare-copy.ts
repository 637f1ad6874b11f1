// The other side of a bare server for files: sends one, fetches it again.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Read and written at once: with the usual 64 kB a copy is slower. */
export const COPY_BYTES = 512 * 1024;

export async function sendBare(url: string, file: string): Promise<void> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Length': statSync(file).size } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => sending.once('response', resolve).on('error', reject));
  await pipeline(createReadStream(file, { highWaterMark: COPY_BYTES }), sending);
  const answer = await answered;
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`The upload was answered with status ${answer.statusCode}.`);
}

/** Nothing is synced: neither does an agent. */
export async function fetchBare(url: string, file: string): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => get(url, resolve).on('error', reject));
  await pipeline(answer, createWriteStream(file, { highWaterMark: COPY_BYTES }));
}

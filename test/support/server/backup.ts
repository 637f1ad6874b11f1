// Helps tests to make backups of a test server.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '../patience.ts';
import type { TestServer } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type BackupJson = any;

export const CONFIRM = { headers: { 'X-Svc-Confirm': 'true' } };

/** Asks for a backup and returns its path in the API. */
export async function askForBackup(server: TestServer): Promise<string> {
  const reply = await server.ask('POST', '/api/backups', CONFIRM);
  assert.equal(reply.status, 202, reply.text);
  return reply.headers.get('location')!;
}

/** Waits until a backup has ended, with success or failure. */
export async function endOfBackup(server: TestServer, path: string): Promise<BackupJson> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const { json } = await server.get(path);
    if (json.status !== 'IN_PROGRESS') return json;
    if (Date.now() > end) throw new Error(`The backup does not end: ${JSON.stringify(json)}`);
    await delay(20);
  }
}

export async function makeBackup(server: TestServer): Promise<BackupJson> {
  const backup = await endOfBackup(server, await askForBackup(server));
  assert.equal(backup.status, 'COMPLETED', JSON.stringify(backup));
  return backup;
}

// The common part of the measurements of backups: a server with a large database, and a backup of it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEnvironments } from './datasets/environments.ts';
import { growDatabase } from './datasets/large-data.ts';
import type { Lab } from './lab.ts';
import type { Program } from './process.ts';

export const ENVIRONMENTS = 100;
const CHECK_EVERY_MS = 5;
const LOOK_LATER_EVERY_MS = 50;
const SETTLE_MS = 2000;

export interface MadeBackup {
  readonly path: string;
  /** Until the folder is complete and has its name. */
  readonly writtenMs: number;
  /** Until it is verified, too. */
  readonly totalMs: number;
}

interface BackupJson {
  readonly status: string;
  readonly message: string;
  readonly path: string;
  readonly verified: boolean | null;
  readonly bytes: number | null;
}

/** The data directory of a server that does not run. */
export async function largeDataDir(lab: Lab): Promise<string> {
  const dataDir = lab.newPath();
  const server = await lab.startServer(dataDir);
  await createEnvironments(server.url, ENVIRONMENTS, lab.basic);
  await delay(SETTLE_MS); // until the history has all of them
  await server.stop();
  growDatabase(join(dataDir, 'slipway.db'), lab.scale.databaseBytes);
  return dataDir;
}

/** Looks often where the times of the result are wanted; each look costs the server and this process as much as any other request. */
export async function makeBackup({ url }: Program, authorization: string, checkEveryMs = CHECK_EVERY_MS): Promise<MadeBackup> {
  const headers = { Accept: 'application/vnd.svc.v2+json', Authorization: authorization };
  const began = performance.now();
  const asked = await fetch(`${url}/api/backups`, { method: 'POST', headers: { ...headers, 'X-Svc-Confirm': 'true' } });
  const address = url + asked.headers.get('location');
  let writtenMs: number | undefined;
  for (;;) {
    const backup = (await (await fetch(address, { headers })).json()) as BackupJson;
    if (backup.bytes !== null) writtenMs ??= performance.now() - began;
    if (backup.status === 'COMPLETED' && backup.verified)
      return { path: backup.path, writtenMs: writtenMs!, totalMs: performance.now() - began };
    if (backup.status !== 'IN_PROGRESS') throw new Error(`The backup failed: ${backup.message}`);
    await delay(writtenMs === undefined ? checkEveryMs : Math.max(checkEveryMs, LOOK_LATER_EVERY_MS));
  }
}

export function removeBackup({ path }: MadeBackup): void {
  rmSync(path, { recursive: true });
}

// The longest time for which the event loop of a server stood still, not counting waits for a processor.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Lab } from './lab.ts';
import type { Program } from './process.ts';

const watch = pathToFileURL(join(import.meta.dirname, 'loop-delay.mjs')).href;
const CHECK_EVERY_MS = 5;

export interface WatchedServer extends Program {
  /** In milliseconds, since it was asked for the last time. */
  longestDelay(): Promise<number>;
}

export async function startWatchedServer(lab: Lab, dataDir: string, settings: readonly string[] = []): Promise<WatchedServer> {
  const file = lab.newPath();
  const server = await lab.startServer(dataDir, settings, { flags: ['--import', watch], environment: { BENCH_LOOP_DELAY: file } });
  return {
    ...server,
    longestDelay: async () => {
      rmSync(file, { force: true });
      process.kill(server.pid, 'SIGUSR2');
      while (!existsSync(file)) await delay(CHECK_EVERY_MS);
      return Number(readFileSync(file, 'utf8'));
    },
  };
}

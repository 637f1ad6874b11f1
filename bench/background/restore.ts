// Restore of a large backup until the server is ready, beside copying the files of the backup and starting a server.
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { largeDataDir, makeBackup } from '../support/backup-lab.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const GOAL = 1.5;
const ROUNDS = 5;
const SETTLE_MS = 500;
const command = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

export const restoreLarge: Measurement = {
  name: 'restore',
  what: 'restore of a backup of 1 GB until the server is ready',
  beside: 'copying the files of the backup, synced, and starting a server',
  goal: `≤ ${GOAL} ×`,
  run: async (lab) => {
    const dataDir = await largeDataDir(lab);
    const original = await lab.startServer(dataDir);
    const { path } = await makeBackup(original, lab.basic);
    await original.stop();
    const ours: number[] = [];
    const copies: number[] = [];
    const starts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await restoreToReady(lab, path));
      copies.push(copyDurably(path, lab.newPath()));
      const started = await lab.startServer(dataDir);
      starts.push(started.startMs);
      await started.stop();
      await delay(SETTLE_MS);
    }
    const bareMs = median(copies) + median(starts);
    const ratio = median(ours) / bareMs;
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= GOAL,
      numbers: { ratio, oursMs: median(ours), bareMs, copyMs: median(copies), startMs: median(starts) },
      notes: [
        `${median(ours).toFixed(0)} ms beside ${median(copies).toFixed(0)} ms for the copy and ${median(starts).toFixed(0)} ms for the start`,
      ],
    };
  },
};

async function restoreToReady(lab: Lab, folder: string): Promise<number> {
  const dataDir = lab.newPath();
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [command, 'restore', folder, '--data-dir', dataDir], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const server = await lab.startServer(dataDir);
  const took = performance.now() - began;
  await server.stop();
  rmSync(dataDir, { recursive: true });
  return took;
}

function copyDurably(folder: string, to: string): number {
  const began = performance.now();
  cpSync(folder, to, { recursive: true });
  for (const name of readdirSync(to)) {
    const file = openSync(join(to, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
  const took = performance.now() - began;
  rmSync(to, { recursive: true });
  return took;
}

// Backup of a large database beside the bare online copy of SQLite.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { largeDataDir, makeBackup, removeBackup } from '../support/backup-lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const GOAL = 1.5;
const ROUNDS = 5;
const SETTLE_MS = 1000;

export const backupOfLarge: Measurement = {
  name: 'backup',
  what: 'backup of a database of 1 GB, until its folder is complete',
  beside: 'bare online copy of SQLite (node:sqlite backup)',
  goal: `≤ ${GOAL} ×`,
  run: async (lab) => {
    const dataDir = await largeDataDir(lab);
    const server = await lab.startServer(dataDir);
    const ours: number[] = [];
    const bare: number[] = [];
    const verified: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await bareCopy(join(dataDir, 'slipway.db'), lab.newPath()));
      await delay(SETTLE_MS);
      const made = await makeBackup(server, lab.basic);
      removeBackup(made);
      ours.push(made.writtenMs);
      verified.push(made.totalMs - made.writtenMs);
      await delay(SETTLE_MS);
    }
    await server.stop();
    const ratio = median(ours) / median(bare);
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= GOAL,
      numbers: { ratio, oursMs: median(ours), bareMs: median(bare), verificationMs: median(verified) },
      notes: [
        `${inSeconds(median(ours))} beside ${inSeconds(median(bare))}; the verification afterwards takes ${inSeconds(median(verified))}`,
      ],
    };
  },
};

async function bareCopy(path: string, to: string): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const began = performance.now();
  await backup(database, to);
  const took = performance.now() - began;
  database.close();
  rmSync(to);
  return took;
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

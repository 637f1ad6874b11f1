// The time from start to ready, beside Node running an empty script.
import { writeFileSync } from 'node:fs';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { timeEmptyScript } from '../support/process.ts';
import { median } from '../support/statistics.ts';

/** With an empty data directory. */
const GOAL = 8;

export const start: Measurement = {
  name: 'start',
  what: 'start to ready, empty data directory / 10,000 entities',
  beside: 'node running an empty script',
  goal: `≤ ${GOAL} × when empty`,
  run: async (lab) => {
    const fullDataDir = await lab.fullDataDir();
    const emptyScript = `${lab.newPath()}.mjs`;
    writeFileSync(emptyScript, '');
    const times = { script: [] as number[], empty: [] as number[], full: [] as number[] };
    for (let round = 0; round < lab.scale.starts; round++) {
      times.script.push(timeEmptyScript(emptyScript));
      times.empty.push(await timeStart(lab, lab.newPath()));
      times.full.push(await timeStart(lab, fullDataDir));
    }
    const [script, empty, full] = [median(times.script), median(times.empty), median(times.full)];
    return {
      figure: `${empty.toFixed(0)} ms / ${full.toFixed(0)} ms (${(empty / script).toFixed(1)} × / ${(full / script).toFixed(1)} ×)`,
      isMet: empty / script <= GOAL,
      numbers: { scriptMs: script, emptyMs: empty, fullMs: full },
      notes: [`the empty script takes ${script.toFixed(0)} ms; the first start also hashes a password and makes the tables`],
    };
  },
};

async function timeStart(lab: Lab, dataDir: string): Promise<number> {
  const server = await lab.startServer(dataDir);
  await server.stop();
  return server.startMs;
}

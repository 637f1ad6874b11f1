// Memory of the server with many environments: after they were made, after their list was sent, and again after a restart.
import { setTimeout as delay } from 'node:timers/promises';
import { createEnvironments, ENVIRONMENTS_PATH } from '../support/datasets/environments.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { memoryMb, type Program } from '../support/process.ts';

const MAX_MB = 250;
const CHECK_EVERY_MS = 500;
const MAX_SETTLE_MS = 5_000;

export const memory: Measurement = {
  name: 'memory',
  what: 'memory at 10,000 environments of 10 variables',
  beside: '–',
  goal: `≤ ${MAX_MB} MB`,
  run: async (lab) => {
    const dataDir = lab.newPath();
    const numbers = { madeMb: 0, madeAndListedMb: 0, restartedMb: 0, restartedAndListedMb: 0 };
    const first = await lab.startServer(dataDir);
    await createEnvironments(first.url, lab.scale.environments, lab.basic);
    numbers.madeMb = await settledMemory(first);
    await readList(lab, first);
    numbers.madeAndListedMb = await settledMemory(first);
    await first.stop();
    const second = await lab.startServer(dataDir);
    numbers.restartedMb = await settledMemory(second);
    await readList(lab, second);
    numbers.restartedAndListedMb = await settledMemory(second);
    await second.stop();
    const peak = Math.max(...Object.values(numbers));
    return {
      figure: `${peak.toFixed(0)} MB`,
      isMet: peak <= MAX_MB,
      numbers: { mostMb: peak, ...numbers },
      notes: [
        `made through the API ${numbers.madeMb.toFixed(0)} MB, list sent once ${numbers.madeAndListedMb.toFixed(0)} MB`,
        `restarted ${numbers.restartedMb.toFixed(0)} MB, list sent once ${numbers.restartedAndListedMb.toFixed(0)} MB`,
      ],
    };
  },
};

async function readList(lab: Lab, { url }: Program): Promise<void> {
  const headers = { Accept: 'application/vnd.svc.v3+json', Authorization: lab.basic };
  const answer = await fetch(url + ENVIRONMENTS_PATH, { headers });
  const { _embedded } = (await answer.json()) as { _embedded: { environments: unknown[] } };
  if (_embedded.environments.length !== lab.scale.environments) throw new Error('The list is not complete.');
}

/** Waits until the memory no longer changes, so that garbage counts only when it stays. */
async function settledMemory({ pid }: Program): Promise<number> {
  let before = memoryMb(pid);
  for (let waited = 0; waited < MAX_SETTLE_MS; waited += CHECK_EVERY_MS) {
    await delay(CHECK_EVERY_MS);
    const now = memoryMb(pid);
    if (Math.abs(now - before) < 0.5) return now;
    before = now;
  }
  return before;
}

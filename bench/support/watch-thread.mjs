// Loaded into a server before anything else: writes down each time its main thread was busy without a break for long.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LONG_MS = 10;
const file = process.env.BENCH_BLOCKS;

/** Waiting for a processor that others use does not count. */
function used() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

if (isMainThread && file !== undefined) {
  let [lastTurn, lastUsed] = [performance.now(), used()];
  setInterval(() => {
    const [now, usedNow] = [performance.now(), used()];
    const busyMs = Math.min(now - lastTurn, usedNow - lastUsed);
    if (busyMs > LONG_MS) appendFileSync(file, `${Date.now()} ${busyMs.toFixed(1)}\n`);
    [lastTurn, lastUsed] = [performance.now(), used()];
  }, 1).unref();
}

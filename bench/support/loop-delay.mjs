// Loaded into a server before anything else: reports the longest time its event loop stood still, when it is asked by a signal.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 1;
const file = process.env.BENCH_LOOP_DELAY;

/** How long this thread has waited for a processor that others used, where the system reports it: that is no fault of the server. */
function waited() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

if (isMainThread && file !== undefined) {
  let longest = 0;
  let [lastTurn, lastWaited] = [performance.now(), waited()];
  setInterval(() => {
    const [now, waitedNow] = [performance.now(), waited()];
    longest = Math.max(longest, now - lastTurn - (waitedNow - lastWaited) - TICK_MS);
    [lastTurn, lastWaited] = [now, waitedNow];
  }, TICK_MS).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, String(longest));
    renameSync(`${file}.new`, file);
    longest = 0;
    [lastTurn, lastWaited] = [performance.now(), waited()];
  });
}

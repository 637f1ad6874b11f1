// Time in tests: a busy machine may take many times as long for anything, and no test may fail for that.

/** How long to wait for an event that has to come. Only a test that would hang for ever gets to the end of it. */
export const PATIENCE_MS = 300_000;

const FACTORS = [1, 4, 16, 64];

/**
 * For a test whose point is a time limit. It is given a factor for its limits; when it fails, it runs again with a larger one. Code that
 * is slow by mistake is slow with each of them; code that was only held up by other processes is not.
 */
export async function withGrowingLimits(attempt: (factor: number) => unknown): Promise<void> {
  for (const factor of FACTORS) {
    try {
      await attempt(factor);
      return;
    } catch (failure) {
      if (factor === FACTORS.at(-1)) throw failure;
    }
  }
}

/** Less is not worth comparing. */
const NEGLIGIBLE_MS = 50;
const TIMES_LARGER = 4;
/** Linear work takes four times as long, quadratic work sixteen times. */
const MAX_GROWTH = 10;
const MAX_ATTEMPTS = 5;

/** The processor time of this thread, in milliseconds. On a machine that others share it may grow without any work. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Fails when work of four times the size takes much more than four times the processor time: then it is not linear in its size. */
export async function assertLinear(what: string, work: (size: number) => unknown, size: number, usedMs = processorMs): Promise<void> {
  const timed = async (some: number) => {
    const before = usedMs();
    await work(some);
    return usedMs() - before;
  };
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && growth > MAX_GROWTH; attempt++) {
    const small = await timed(size / TIMES_LARGER);
    const large = await timed(size);
    if (large < NEGLIGIBLE_MS) return;
    growth = Math.min(growth, large / small);
  }
  if (growth > MAX_GROWTH) throw new Error(`${what}: ${TIMES_LARGER} times the size took ${growth.toFixed(1)} times as long.`);
}

/** A piece of this much is none that others would feel. */
const SMALL_PIECE_MS = 60;
const MIN_PIECES = 4;

/** Fails when long work blocks the event loop in one piece. It is done again when it seems so: the machine may have stood still. */
export async function assertInPieces(what: string, work: (attempt: number) => Promise<unknown>, usedMs = processorMs): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { longest, total } = await piecesOf(() => work(attempt), usedMs);
    if (longest <= Math.max(SMALL_PIECE_MS, total / MIN_PIECES)) return;
    if (attempt === MAX_ATTEMPTS) throw new Error(`${what}: one of its pieces took ${longest} of ${total} ms.`);
  }
}

async function piecesOf(work: () => Promise<unknown>, usedMs: () => number): Promise<{ readonly longest: number; readonly total: number }> {
  const start = usedMs();
  let [last, longest] = [start, 0];
  const turn = () => {
    const now = usedMs();
    [last, longest] = [now, Math.max(longest, now - last)];
  };
  const ticking = setInterval(turn, 1);
  await work();
  clearInterval(ticking);
  turn();
  return { longest, total: last - start };
}

// Polls the console file of a job by byte ranges and appends the new bytes to a log, until the job is completed.
import { request } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import type { Log } from './log.ts';

const FIRST_WAIT_MS = 400;
const MAX_WAIT_MS = 3_000;

export interface ConsolePoll {
  readonly address: string;
  readonly log: Log;
  /** Whether lines may still come. */
  readonly isRunning: () => boolean;
  readonly onProgress: () => void;
  readonly onFailure: (failure: ApiFailure | undefined) => void;
}

/** Polls until the signal is aborted, or the whole console of a job that has ended was read. */
export async function pollConsole({ address, log, isRunning, onProgress, onFailure }: ConsolePoll, signal: AbortSignal): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const wasRunning = isRunning();
    const before = log.length;
    try {
      await readMore(address, log, onProgress, signal);
      onFailure(undefined);
    } catch (failure) {
      if (signal.aborted) return;
      onFailure(failure instanceof ApiFailure ? failure : new ApiFailure(0, String(failure)));
      const isUnavailable = failure instanceof ApiFailure && failure.isUnavailable;
      // A job that has not begun has no console yet.
      const isNotYet = failure instanceof ApiFailure && failure.status === 404 && wasRunning;
      if (!isUnavailable && !isNotYet) return;
      await sleep(MAX_WAIT_MS, signal);
      continue;
    }
    // A read that began after the job had ended returns all the rest.
    if (!wasRunning) return;
    const hasMore = log.length > before;
    wait = hasMore ? FIRST_WAIT_MS : Math.min(wait * 1.5, MAX_WAIT_MS);
    await sleep(wait, signal);
  }
}

/** Asks from the last byte that is known on: a range after the end would be refused, and browsers report refusals as errors. */
async function readMore(address: string, log: Log, onProgress: () => void, signal: AbortSignal): Promise<void> {
  const from = Math.max(0, log.length - 1);
  const response = await request(address, { range: from === 0 ? undefined : `bytes=${from}-`, signal });
  const reader = response.body?.getReader();
  // A server that knows no ranges sends all of it again.
  let toSkip = log.length - (response.status === 206 ? from : 0);
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    const skipped = Math.min(toSkip, chunk.value.length);
    toSkip -= skipped;
    if (skipped === chunk.value.length) continue;
    log.append(chunk.value.subarray(skipped));
    onProgress();
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

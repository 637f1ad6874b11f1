// Lets something fill a directory only up to a size.
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../kit/concurrency/time-slices.ts';
import { MaterialProblem } from './client.ts';

const CHECK_EVERY_MS = 250;
/** Looking takes at most this share of the time. */
const MEASURING_SHARE = 0.05;

/** `work` gets a signal that ends it when the directory becomes too large. */
export async function withinSize<T>(
  directory: string,
  maxBytes: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLarge = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const measureLater = (afterMs: number) => {
    timer = setTimeout(async () => {
      const startedAt = performance.now();
      if ((await sizeOf(directory)) > maxBytes) tooLarge.abort();
      if (!isDone) measureLater(Math.max(CHECK_EVERY_MS, (performance.now() - startedAt) / MEASURING_SHARE));
    }, afterMs);
  };
  measureLater(CHECK_EVERY_MS);
  try {
    const result = await work(AbortSignal.any([signal, tooLarge.signal]));
    if ((await sizeOf(directory)) > maxBytes) tooLarge.abort();
    if (!tooLarge.signal.aborted) return result;
  } catch (failure) {
    if (!tooLarge.signal.aborted) throw failure;
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
  throw new MaterialProblem(
    `The repository is too large: it needs more than the ${formatSize(maxBytes)} that one may take on this server.`,
  );
}

/** Files that vanish in between do not count. The calls are synchronous: thousands of asynchronous ones would cost more. */
export async function sizeOf(path: string): Promise<number> {
  const folders = [path];
  let total = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else total += lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0;
      const wait = pause();
      if (wait) await wait;
    }
  }
  return total;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone, or closed to us: nothing that could be counted
  }
}

function formatSize(bytes: number): string {
  return bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}

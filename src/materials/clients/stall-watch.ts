// Ends a program that gets no further: it prints nothing, and nothing more comes into the directory it fills.
import { CommandStopped } from '../../kit/process/command.ts';
import type { RunOptions } from './program.ts';
import { sizeOf } from './size-watch.ts';

/** The options that a program must be run with to be watched. */
export type WatchOptions = Required<Pick<RunOptions, 'signal' | 'onActivity'>>;

/** Number of checks in the time that a program may be silent. */
const CHECKS = 6;

/** `silenceMs` undefined: no time limit. */
export async function withStallTimeout<T>(
  directory: string,
  silenceMs: number | undefined,
  signal: AbortSignal,
  work: (options: WatchOptions) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController();
  let activeAt = performance.now();
  const onActivity = () => {
    activeAt = performance.now();
  };
  if (silenceMs === undefined) return work({ signal, onActivity });
  const everyMs = silenceMs / CHECKS;
  let size: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const check = async () => {
    // Measuring the directory is costly: it is skipped when the program has just printed.
    if (performance.now() - activeAt >= everyMs) {
      const now = await sizeOf(directory);
      if (now !== size) onActivity();
      size = now;
    }
    if (performance.now() - activeAt >= silenceMs) stalled.abort();
    else if (!isDone) timer = setTimeout(check, everyMs);
  };
  timer = setTimeout(check, everyMs);
  try {
    return await work({ signal: AbortSignal.any([signal, stalled.signal]), onActivity });
  } catch (failure) {
    if (!stalled.signal.aborted || !(failure instanceof CommandStopped)) throw failure;
    const { program, stderr } = failure;
    throw new CommandStopped(
      `${program} was stopped: nothing came for ${Math.round(silenceMs / 100) / 10} seconds.`,
      program,
      'silence',
      stderr,
    );
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

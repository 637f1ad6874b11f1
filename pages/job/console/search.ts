// Finds a text in a log of any length, without holding up the page.
import type { Log } from './log.ts';

/** Lines are searched in blocks; after this long the page gets its turn. */
const SLICE_MS = 10;
const BLOCK_LINES = 20_000;
export const MAX_MATCHES = 100_000;

export interface SearchMatches {
  /** Lines with a match, in their order. */
  readonly lines: readonly number[];
  readonly isComplete: boolean;
}

/** Each place where a text occurs, in any letter case. */
export function patternOf(text: string): RegExp {
  return new RegExp(`(${text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')})`, 'gi');
}

/** The numbers of the lines that hold a text, in any letter case. Gives up when `signal` is aborted. */
export async function searchLog(log: Log, text: string, signal: AbortSignal, report: (found: SearchMatches) => void): Promise<void> {
  const pattern = patternOf(text);
  const lines: number[] = [];
  let sliceEnds = performance.now() + SLICE_MS;
  for (let first = 0; first < log.lineCount && lines.length < MAX_MATCHES; first += BLOCK_LINES) {
    linesWith(pattern, log.textOf(first, Math.min(first + BLOCK_LINES, log.lineCount) - 1), first, lines);
    if (performance.now() < sliceEnds) continue;
    report({ lines: [...lines], isComplete: false });
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return;
    sliceEnds = performance.now() + SLICE_MS;
  }
  report({ lines, isComplete: true });
}

/** Adds the lines of a block in which the pattern occurs. */
function linesWith(pattern: RegExp, block: string, first: number, lines: number[]): void {
  let line = first;
  let counted = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(block); match !== null; match = pattern.exec(block)) {
    for (let end = block.indexOf('\n', counted); end >= 0 && end < match.index; end = block.indexOf('\n', counted)) {
      counted = end + 1;
      line += 1;
    }
    lines.push(line);
    // One match is enough for a line.
    const end = block.indexOf('\n', match.index);
    if (end < 0) return;
    pattern.lastIndex = end + 1;
  }
}

// Reads reports that tests hold in memory.
import { readReport } from '../../src/test-reports/read-report.ts';
import type { TestResult } from '../../src/test-reports/result.ts';

export interface ReadInTest {
  readonly results: readonly TestResult[];
  readonly problem: string | undefined;
}

/** Reads bytes in pieces of the given size. */
export async function readBytes(bytes: string | Buffer, size = 64 * 1024): Promise<ReadInTest> {
  const buffer = Buffer.from(bytes);
  return readPieces(
    (async function* () {
      for (let start = 0; start < buffer.length; start += size) yield buffer.subarray(start, start + size);
    })(),
  );
}

export async function readPieces(pieces: AsyncIterable<Buffer>): Promise<ReadInTest> {
  const results: TestResult[] = [];
  const problem = await readReport(pieces, async (some) => {
    results.push(...some);
    return true;
  });
  return { results, problem };
}

// Writes how long each test, file and process of a test run took, the longest first: where to look when the suite gets slow.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EventData, TestsStream } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..', '..');

/** One line for each: milliseconds, kind, file, name. A test that waits for others on a busy machine takes longer. */
export function recordDurations(tests: TestsStream, target: string): void {
  const rows: { readonly ms: number; readonly line: string }[] = [];
  tests.on('test:complete', (completed) => {
    const ms = completed.details.duration_ms;
    rows.push({ ms, line: [Math.round(ms), ...describe(completed)].join('\t') });
  });
  tests.on('end', () => {
    const longestFirst = rows.toSorted((one, other) => other.ms - one.ms);
    writeFileSync(target, longestFirst.map(({ line }) => `${line}\n`).join(''));
  });
}

function describe({ name, file = '?', details }: EventData.TestComplete): readonly [kind: string, file: string, name: string] {
  if (name === file) return ['process', relative(root, file), ''];
  // In a process that several files share, each file is a suite.
  if (name.startsWith('file:')) return ['file', relative(root, fileURLToPath(name)), ''];
  return [details.type ?? 'test', relative(root, file), name];
}

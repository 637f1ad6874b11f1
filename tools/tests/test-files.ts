// Which test files a run is about: all, or those that the command line names.
import { globSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const IS_TEST = /\.test\.(?:ts|mjs)$/;

/** Relative to the root, each once; or a sentence about a name that fits nothing. */
export function testFilesOf(names: readonly string[], root: string): readonly string[] | { readonly problem: string } {
  const files = new Set<string>();
  for (const name of names.length > 0 ? names : ALL) {
    const found = filesOf(name, root);
    if (found.length === 0)
      return { problem: `No test file fits ${name}. Name files that end with .test.ts, folders with such files, or patterns.` };
    for (const file of found) files.add(file);
  }
  return [...files];
}

function filesOf(name: string, root: string): readonly string[] {
  const found = globSync(name, { cwd: root }).map((path) => relative(root, resolve(root, path)));
  const files = found.flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? globSync(join(path, '**', '*'), { cwd: root }).toSorted() : [path],
  );
  return files.filter((path) => IS_TEST.test(path));
}

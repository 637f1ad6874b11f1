// Which test files run in a process of their own, and in which order the others are taken.

export interface TestOrder {
  readonly alone: readonly string[];
  readonly shared: readonly string[];
}

/** Tests that measure their own process. */
const ALONE = [/^src\/kit\/process\/command\./];

/** Files that take long begin first and short ones last, so that no process is left alone with a long one at the end. */
const LONGEST_FIRST: readonly RegExp[] = [
  /^test\/(?:guides|stories)\//,
  /^test\/cli\/artifacts-move/,
  /^test\/materials\//,
  /^test\/pages\//,
  /^test\/(?:backup|git|events|mail)\//,
  /^test\/(?:every-resource|platforms|release)/,
  /^test\/api\/(?:config-git|generated-entities|every-route|backup-config)/,
  /^test\//,
];

/** Paths are relative to the root of the repository. */
export function orderOf(files: readonly string[]): TestOrder {
  const sorted = files.toSorted();
  const isAlone = (file: string) => ALONE.some((pattern) => pattern.test(slashed(file)));
  return {
    alone: sorted.filter(isAlone),
    shared: sorted.filter((file) => !isAlone(file)).toSorted((one, other) => rankOf(one) - rankOf(other)),
  };
}

function rankOf(file: string): number {
  const rank = LONGEST_FIRST.findIndex((pattern) => pattern.test(slashed(file)));
  return rank === -1 ? LONGEST_FIRST.length : rank;
}

function slashed(file: string): string {
  return file.replaceAll('\\', '/');
}

// Which test files run in a process of their own, and which share one.

/** They measure their own process, change its environment, or take very long. */
const ALONE = [
  /^test\/(?:stories|guides)\//,
  /^test\/every-resource/,
  /^test\/api\/(?:config-git|generated-entities)/,
  /^test\/config\/reference-integrity/,
  /^test\/history\/at-every-revision/,
  /^test\/(?:materials|config-repos\/files|git)\//,
  /^src\/kit\/process\/command\./,
];
/** They wait for other programs most of the time. */
const LONG = [/^test\/pages\//, /^test\/backup\//, /^test\/events\//, /^test\/mail\//];
const MAX_LONG_TOGETHER = 3;
const MAX_TOGETHER = 12;

/** Kinds of files in the order in which they begin, each with how many share a process. Long ones begin first and short ones last, so that no process is left alone at the end. */
const KINDS: readonly (readonly [pattern: RegExp, most: number])[] = [
  ...ALONE.map((pattern) => [pattern, 1] as const),
  ...LONG.map((pattern) => [pattern, MAX_LONG_TOGETHER] as const),
  [/^test\//, MAX_TOGETHER],
  [/^/, MAX_TOGETHER],
];

/** Each group is one process. Paths are relative to the root of the repository. */
export function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  const byKind = Map.groupBy(files.toSorted(), kindOf);
  return KINDS.flatMap(([, most], kind) => evenly(byKind.get(kind) ?? [], most));
}

function kindOf(file: string): number {
  return KINDS.findIndex(([pattern]) => pattern.test(file.replaceAll('\\', '/')));
}

/** Neighbours stay together: they load much the same code. */
function evenly(files: readonly string[], most: number): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.round((index * files.length) / count), Math.round(((index + 1) * files.length) / count)),
  );
}

// Which test files run in a process of their own, and which share one.

/** They take long, measure their own process or change its environment. They begin first: at the end others still run beside the last of them. */
const ALONE = [
  /^test\/(?:stories|guides)\//,
  /^test\/every-resource/,
  /^test\/(?:git|backup|mail|materials|events)\//,
  /^test\/api\/(?:config-git|generated-entities)/,
  /^test\/config\/(?:reference-integrity|slow-texts)/,
  /^test\/config-repos\/(?:files|support)\//,
  /^test\/history\/at-every-revision/,
  /^src\/kit\/command\./,
];
const MOST_TOGETHER = 12;

/** Each group is one process. Paths are relative to the root of the repository. */
export function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  const sorted = files.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const first = sorted.findIndex((file) => rank(file) === ALONE.length);
  const alone = first < 0 ? sorted : sorted.slice(0, first);
  const others = first < 0 ? [] : sorted.slice(first);
  return [...alone.map((file) => [file]), ...evenly(others, MOST_TOGETHER)];
}

function rank(file: string): number {
  const place = ALONE.findIndex((pattern) => pattern.test(file.replaceAll('\\', '/')));
  return place < 0 ? ALONE.length : place;
}

/** Neighbours stay together: they load much the same code. */
function evenly(files: readonly string[], most: number): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.round((index * files.length) / count), Math.round(((index + 1) * files.length) / count)),
  );
}

// Decides whether a field lies in one of very many others, or one of them in it, by their JSON pointers.

export function overlappingPaths(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  const outer = new Set(paths.flatMap((path) => [...outerPaths(path)]));
  return (path) => outer.has(path) || all.has(path) || outerPaths(path).some((one) => all.has(one));
}

/** The fields that it is in, up to the whole entity. */
function* outerPaths(path: string): Generator<string> {
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

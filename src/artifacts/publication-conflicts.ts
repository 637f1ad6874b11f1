// Whether the files and folders of a publication can lie beside each other, and beside the published ones.
import { foldersAbove, pathProblem } from './paths.ts';
import { KEPT_FOLDERS } from './stage-run.ts';

export interface PublishedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The problem of the paths themselves, in words. */
export function problemOfPaths(files: readonly string[], folders: readonly string[]): string | undefined {
  for (const path of [...files, ...folders]) {
    const problem = pathProblem(path);
    if (problem) return problem;
  }
  const known = new Set<string>();
  for (const path of files) {
    if (known.has(path)) return `The file '${path}' is there twice: send it once.`;
    known.add(path);
  }
  const kept = files.find((path) => KEPT_FOLDERS.includes(path.toLowerCase()));
  if (kept !== undefined) return fileAndFolder(kept);
  const above = foldersAbove([...files, ...folders]);
  const both = [...above, ...folders].find((folder) => known.has(folder));
  return both === undefined ? undefined : fileAndFolder(both);
}

/** A conflict with published files, in words. `known`: rows of these paths, and of the folders above them. */
export function conflictWith(
  files: readonly PublishedFile[],
  known: ReadonlyMap<string, PublishedFile>,
  above: Iterable<string>,
): string | undefined {
  for (const file of files) {
    const there = known.get(file.path);
    if (there && (there.sha256 !== file.sha256 || there.bytes !== file.bytes))
      return `The file '${file.path}' is published already, with other content.`;
  }
  for (const folder of above) if (known.has(folder)) return fileAndFolder(folder);
  return undefined;
}

export function fileAndFolder(path: string): string {
  return `'${path}' cannot be a file and a folder at the same time.`;
}

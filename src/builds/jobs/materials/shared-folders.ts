// Materials of a run whose folders overlap: those of another time are not checked beside the present ones when a pipeline is saved.
import { posix } from 'node:path';

export interface InFolder {
  /** Null: the folder of the pipeline. */
  readonly destination: string | null;
}

/** Two that would be in one folder, or one inside the folder of the other; undefined: all lie apart. */
export function overlapping<T extends InFolder>(materials: readonly T[]): readonly [T, T] | undefined {
  const paths = materials
    .map((material) => ({ material, path: pathOf(material) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (const [index, inner] of paths.entries()) {
    const outer = paths[index - 1];
    // Sorted with a slash at the end, a folder is followed by what lies in it.
    if (outer && inner.path.startsWith(outer.path)) return [outer.material, inner.material];
  }
  return undefined;
}

/** With a slash at the end; that of the pipeline is the beginning of all others. */
function pathOf({ destination }: InFolder): string {
  const path = posix.normalize(`${destination ?? ''}/`);
  return path === './' || path === '/' ? '' : path.replace(/^\.\//, '');
}

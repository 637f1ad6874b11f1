// Cuts a batch of modifications into slices: each is prepared without a stop, so it must not take long, because requests wait meanwhile.
interface SlicedModification {
  readonly comment: string | null;
  readonly files: readonly { readonly name: string }[];
}

export const MAX_IN_SLICE = 8;
const MAX_FILES = 200;
const MAX_CHARACTERS = 200_000;

/** One that is too large by itself is a slice of its own. */
export function* slicesOf<T extends SlicedModification>(modifications: readonly T[]): Generator<readonly T[]> {
  let slice: T[] = [];
  let files = 0;
  let text = 0;
  for (const one of modifications) {
    const length = one.files.reduce((sum, { name }) => sum + name.length, one.comment?.length ?? 0);
    const isFull = slice.length === MAX_IN_SLICE || files + one.files.length > MAX_FILES || text + length > MAX_CHARACTERS;
    if (isFull && slice.length > 0) {
      yield slice;
      [slice, files, text] = [[], 0, 0];
    }
    slice.push(one);
    files += one.files.length;
    text += length;
  }
  if (slice.length > 0) yield slice;
}

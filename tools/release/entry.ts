// One file of an archive.

export interface Entry {
  /** With slashes, from the root of the archive. */
  readonly name: string;
  readonly content: Buffer;
  readonly isProgram: boolean;
}

export function textEntry(name: string, text: string): Entry {
  return { name, content: Buffer.from(text), isProgram: false };
}

/** Below a folder, and in the order of their names: an archive does not depend on the order in which a disk lists its files. */
export function below(folder: string, entries: readonly Entry[]): readonly Entry[] {
  const moved = entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));
  return moved.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function modeOf({ isProgram }: Entry): number {
  return isProgram ? 0o755 : 0o644;
}

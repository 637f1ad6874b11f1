// Finds members of lists by their names, in any letter case. It indexes each list once: very many members may be looked for in the same one.

export class NameLookup {
  readonly #indexes = new Map<readonly unknown[], ReadonlyMap<string, number>>();

  /** The index of the first one of this name; -1: there is none. Each list needs the same `nameOf` every time. */
  indexOf<T>(list: readonly T[], nameOf: (item: T) => string | undefined, name: string): number {
    return this.#indexes.getOrInsertComputed(list, () => firstIndexes(list, nameOf)).get(name.toLowerCase()) ?? -1;
  }

  find<T>(list: readonly T[], nameOf: (item: T) => string | undefined, name: string): T | undefined {
    return list[this.indexOf(list, nameOf, name)];
  }
}

function firstIndexes<T>(list: readonly T[], nameOf: (item: T) => string | undefined): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const name = nameOf(item)?.toLowerCase();
    if (name !== undefined && !indexes.has(name)) indexes.set(name, index);
  }
  return indexes;
}

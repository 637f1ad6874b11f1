// The columns of a value stream map: each node stands to the right of all its parents.

export interface LinkedNode {
  readonly key: string;
  readonly parents: ReadonlySet<string>;
  readonly dependents: ReadonlySet<string>;
}

/** The nodes of each column, from the left. Nodes without parents stand in the first one. */
export function levelsOf<N extends LinkedNode>(nodes: ReadonlyMap<string, N>, start: N): N[][] {
  const above = distances(start.key, (key) => nodes.get(key)!.parents);
  const below = distances(start.key, (key) => nodes.get(key)!.dependents);
  const startLevel = Math.max(...above.values());
  const levels: N[][] = Array.from({ length: startLevel + Math.max(...below.values()) + 1 }, () => []);
  for (const node of nodes.values()) {
    const up = above.get(node.key);
    const isRoot = node.parents.size === 0 && up !== undefined;
    const level = isRoot ? 0 : up === undefined ? startLevel + (below.get(node.key) ?? 0) : startLevel - up;
    levels[level]!.push(node);
  }
  return levels.filter(({ length }) => length > 0);
}

/** How far each is from the start at most. Where names went round in a circle over time, the first that was met goes first. */
function distances(start: string, next: (key: string) => Iterable<string>): Map<string, number> {
  const waits = new Map<string, number>([[start, 0]]);
  for (const key of waits.keys()) for (const other of next(key)) waits.set(other, (waits.get(other) ?? 0) + 1);
  const found = new Map<string, number>([[start, 0]]);
  const ready = [start];
  waits.delete(start);
  for (;;) {
    const key = ready.pop() ?? firstOf(waits);
    if (key === undefined) return found;
    waits.delete(key);
    const distance = found.get(key) ?? 0;
    for (const other of next(key)) {
      const left = waits.get(other);
      if (left === undefined) continue;
      found.set(other, Math.max(found.get(other) ?? 0, distance + 1));
      waits.set(other, left - 1);
      if (left === 1) ready.push(other);
    }
  }
}

/** One that has been reached, so that its distance is known. */
function firstOf(waits: ReadonlyMap<string, number>): string | undefined {
  return waits.keys().next().value;
}

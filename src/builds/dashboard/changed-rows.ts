// Which rows of the dashboard have changed since a version, as far back as it is remembered.

export interface RowChange {
  readonly version: number;
  readonly key: string;
  readonly name: string;
  /** The group it was in before; undefined: it is new. */
  readonly from: string | undefined;
}

export class ChangedRows {
  readonly #maxChanges: number;
  #changes: RowChange[] = [];
  /** Nothing is remembered of this version and those before it. */
  #forgotten = 0;

  constructor(maxChanges: number) {
    this.#maxChanges = maxChanges;
  }

  /** Forgets all changes up to this version. */
  beginAt(version: number): void {
    this.#changes = [];
    this.#forgotten = version;
  }

  add(change: RowChange): void {
    if (this.#changes.push(change) <= this.#maxChanges) return;
    const gone = this.#changes.splice(0, Math.ceil(this.#maxChanges / 2));
    this.#forgotten = gone.at(-1)!.version;
  }

  /** Oldest first; undefined: it is not remembered. */
  since(version: number): readonly RowChange[] | undefined {
    if (version < this.#forgotten) return undefined;
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]!.version <= version) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }
}

// The safety net: finds materials with something new of which no pipeline was told. Each finding is a fault of the server.

export interface NewsParts {
  /** The fingerprints of all materials of pipelines. */
  all(): Promise<Iterable<string>>;
  /** The ids of their newest modifications; in slices, so that requests do not wait for it. */
  newest(fingerprints: readonly string[]): Promise<ReadonlyMap<string, { readonly id: number }>>;
  /** Whether a poll of the material is under way, which will tell pipelines itself. */
  isUnderWay(fingerprint: string): boolean;
  wakeUsersOf(fingerprint: string): Promise<void>;
  /** To be logged. */
  onMissed(fingerprint: string): void;
}

export class MissedNews {
  readonly #parts: NewsParts;
  readonly #seen = new Map<string, number>();
  /** Of which pipelines were told since the last look. */
  readonly #told = new Set<string>();

  constructor(parts: NewsParts) {
    this.#parts = parts;
  }

  told(fingerprint: string): void {
    this.#told.add(fingerprint);
  }

  clear(): void {
    this.#seen.clear();
    this.#told.clear();
  }

  /** The first look after a start only learns: all pipelines are looked at then. */
  async look(): Promise<void> {
    const { all, newest, isUnderWay, wakeUsersOf, onMissed } = this.#parts;
    const told = new Set(this.#told);
    this.#told.clear();
    const fingerprints = new Set(await all());
    for (const fingerprint of this.#seen.keys()) if (!fingerprints.has(fingerprint)) this.#seen.delete(fingerprint);
    for (const [fingerprint, { id }] of await newest([...fingerprints])) {
      if (isUnderWay(fingerprint)) continue;
      const before = this.#seen.get(fingerprint);
      this.#seen.set(fingerprint, id);
      if (before === undefined || before === id || told.has(fingerprint) || this.#told.has(fingerprint)) continue;
      onMissed(fingerprint);
      await wakeUsersOf(fingerprint);
    }
  }
}

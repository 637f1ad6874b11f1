// The safety net: finds materials with something new of which no pipeline was notified. Each finding is a fault of the server.

export interface MissedParts {
  /** The fingerprints of all materials of pipelines. */
  all(): Promise<Iterable<string>>;
  /** The ids of their newest modifications; in slices, so that requests do not wait for it. */
  newest(fingerprints: readonly string[]): Promise<ReadonlyMap<string, { readonly id: number }>>;
  /** Whether a poll of the material is under way, which will notify pipelines itself. */
  isUnderWay(fingerprint: string): boolean;
  wakeUsersOf(fingerprint: string): Promise<void>;
  /** To be logged. */
  onMissed(fingerprint: string): void;
}

export class MissedModifications {
  readonly #parts: MissedParts;
  readonly #newest = new Map<string, number>();
  /** Materials whose pipelines were woken since the last look. */
  readonly #woken = new Set<string>();

  constructor(parts: MissedParts) {
    this.#parts = parts;
  }

  noteWoken(fingerprint: string): void {
    this.#woken.add(fingerprint);
  }

  clear(): void {
    this.#newest.clear();
    this.#woken.clear();
  }

  /** The first look after a start only learns: all pipelines are looked at then. */
  async check(): Promise<void> {
    const { all, newest, isUnderWay, wakeUsersOf, onMissed } = this.#parts;
    const woken = new Set(this.#woken);
    this.#woken.clear();
    const fingerprints = new Set(await all());
    for (const fingerprint of this.#newest.keys()) if (!fingerprints.has(fingerprint)) this.#newest.delete(fingerprint);
    for (const [fingerprint, { id }] of await newest([...fingerprints])) {
      if (isUnderWay(fingerprint)) continue;
      const before = this.#newest.get(fingerprint);
      this.#newest.set(fingerprint, id);
      if (before === undefined || before === id || woken.has(fingerprint) || this.#woken.has(fingerprint)) continue;
      onMissed(fingerprint);
      await wakeUsersOf(fingerprint);
    }
  }
}

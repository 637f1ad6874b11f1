// Packs that a larger one has replaced: they stay for a while, for those who have begun to read them.
interface Superseded {
  readonly name: string;
  readonly bytes: number;
  readonly since: number;
}

/** As long as somebody may take from finding a pack to opening it: who checks a whole repository is slow. */
const STAY_MS = 60_000;
const MOST = 300;
const MOST_BYTES = 256 * 1024 * 1024;

export class SupersededPacks {
  readonly #remove: (name: string) => void;
  #staying: Superseded[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(remove: (name: string) => void) {
    this.#remove = remove;
  }

  add(name: string, bytes: number): void {
    this.#staying.push({ name, bytes, since: performance.now() });
    this.#bytes += bytes;
    this.#removeDue();
  }

  /** They are gone already. */
  forget(): void {
    this.#staying = [];
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #removeDue(): void {
    const now = performance.now();
    const isTooMuch = () => this.#staying.length > MOST || this.#bytes > MOST_BYTES;
    while (isTooMuch() || (this.#staying[0] && now - this.#staying[0].since >= STAY_MS)) {
      const { name, bytes } = this.#staying.shift()!;
      this.#bytes -= bytes;
      this.#remove(name);
    }
    if (this.#staying.length > 0) this.#timer ??= setTimeout(() => this.#look(), STAY_MS).unref();
  }

  #look(): void {
    this.#timer = undefined;
    this.#removeDue();
  }
}

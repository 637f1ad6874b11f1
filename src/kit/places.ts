// The places that work of one kind shares, and the lines in which it waits for one. However many wait, finding the next is quick.

/** `always`: also during a pause. `held back`: such work never takes more than half of the places. */
export type Line = 'always' | 'usual' | 'held back';

const ALL: readonly Line[] = ['always', 'usual', 'held back'];
const WITHOUT_HELD_BACK: readonly Line[] = ['always', 'usual'];
const DURING_A_PAUSE: readonly Line[] = ['always'];

export class Places<T> {
  readonly #most: number;
  /** Who waits, with a number that is the smaller the longer they do. */
  readonly #lines: Readonly<Record<Line, Map<T, number>>> = { always: new Map(), usual: new Map(), 'held back': new Map() };
  readonly #taken = new Map<T, Line>();
  #heldBack = 0;
  #last = 0;

  constructor(most: number) {
    this.#most = most;
  }

  wait(one: T, line: Line): void {
    this.leave(one);
    this.#lines[line].set(one, ++this.#last);
  }

  /** Waits no longer. */
  leave(one: T): void {
    for (const line of ALL) this.#lines[line].delete(one);
  }

  get waiting(): readonly T[] {
    return ALL.flatMap((line) => [...this.#lines[line].keys()]);
  }

  /** Who has waited longest among those that may begin now gets a place; undefined: nobody may. */
  take(isPaused: boolean): T | undefined {
    if (this.#taken.size >= this.#most) return undefined;
    let first: { readonly one: T; readonly number: number; readonly line: Line } | undefined;
    for (const line of this.#openLines(isPaused)) {
      const [one, number] = this.#lines[line].entries().next().value ?? [];
      if (one !== undefined && number! < (first?.number ?? Number.POSITIVE_INFINITY)) first = { one, number: number!, line };
    }
    if (!first) return undefined;
    const { one, line } = first;
    this.#lines[line].delete(one);
    this.#taken.set(one, line);
    if (line === 'held back') this.#heldBack++;
    return one;
  }

  giveBack(one: T): void {
    if (this.#taken.get(one) === 'held back') this.#heldBack--;
    this.#taken.delete(one);
  }

  #openLines(isPaused: boolean): readonly Line[] {
    if (isPaused) return DURING_A_PAUSE;
    return this.#heldBack < Math.max(1, Math.floor(this.#most / 2)) ? ALL : WITHOUT_HELD_BACK;
  }
}

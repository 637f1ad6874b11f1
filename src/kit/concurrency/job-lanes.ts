// The places that work of one kind shares, and the lines in which it waits for one. However many wait, finding the next is quick.

/**
 * `always`: also during a pause. `held back`: such work never takes more than half of the places. `aside`: such work has places of its own,
 * as many as all others together, and takes none of theirs.
 */
export type Lane = 'always' | 'usual' | 'held back' | 'aside';

const ALL: readonly Lane[] = ['always', 'usual', 'held back', 'aside'];

export class JobLanes<T> {
  readonly #most: number;
  /** Who waits, with a number that is the smaller the longer they do. */
  readonly #lines: Readonly<Record<Lane, Map<T, number>>> = {
    always: new Map(),
    usual: new Map(),
    'held back': new Map(),
    aside: new Map(),
  };
  readonly #taken = new Map<T, Lane>();
  readonly #counts: Record<Lane, number> = { always: 0, usual: 0, 'held back': 0, aside: 0 };
  /** Those that were told to make room and still have their place. */
  readonly #leaving = new Set<T>();
  #last = 0;

  constructor(most: number) {
    this.#most = most;
  }

  wait(one: T, line: Lane): void {
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
    let first: { readonly one: T; readonly number: number; readonly line: Lane } | undefined;
    for (const line of ALL) {
      if (!this.#isOpen(line, isPaused)) continue;
      const [one, number] = this.#lines[line].entries().next().value ?? [];
      if (one !== undefined && number! < (first?.number ?? Number.POSITIVE_INFINITY)) first = { one, number: number!, line };
    }
    if (!first) return undefined;
    const { one, line } = first;
    this.#lines[line].delete(one);
    this.#put(one, line);
    return one;
  }

  /** Lets others have its place; false: it has to keep it, for there is no room aside. */
  moveAside(one: T): boolean {
    if (this.#taken.get(one) === 'aside') return true;
    if (!this.#taken.has(one) || this.#counts.aside >= this.#most) return false;
    this.giveBack(one);
    this.#put(one, 'aside');
    return true;
  }

  /** Whether somebody waits for a place like its own for whom nobody makes room already. Then it is to make room: it is counted on from now. */
  makesRoom(one: T, isPaused: boolean): boolean {
    const line = this.#taken.get(one);
    if (line === undefined || this.#leaving.has(one)) return false;
    const leaving = [...this.#leaving].filter((other) => (this.#taken.get(other) === 'aside') === (line === 'aside'));
    if (leaving.length >= this.#waitingFor(line, isPaused)) return false;
    this.#leaving.add(one);
    return true;
  }

  giveBack(one: T): void {
    const line = this.#taken.get(one);
    if (line === undefined) return;
    this.#taken.delete(one);
    this.#leaving.delete(one);
    this.#counts[line]--;
  }

  #put(one: T, line: Lane): void {
    this.#taken.set(one, line);
    this.#counts[line]++;
  }

  /** How many of those that wait could have the place of one from this line. */
  #waitingFor(line: Lane, isPaused: boolean): number {
    const { always, usual, 'held back': heldBack, aside } = this.#lines;
    if (line === 'aside') return isPaused ? 0 : aside.size;
    if (isPaused) return always.size;
    return always.size + usual.size + (line === 'held back' || !this.#isHeldBackFull ? heldBack.size : 0);
  }

  get #isHeldBackFull(): boolean {
    return this.#counts['held back'] >= Math.max(1, Math.floor(this.#most / 2));
  }

  #isOpen(line: Lane, isPaused: boolean): boolean {
    if (isPaused && line !== 'always') return false;
    const { aside } = this.#counts;
    if (line === 'aside') return aside < this.#most;
    if (this.#taken.size - aside >= this.#most) return false;
    return line !== 'held back' || !this.#isHeldBackFull;
  }
}

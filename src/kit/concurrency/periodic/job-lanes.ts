// The lanes in which jobs of one kind wait for a slot to run. Finding the next job takes the same time however many wait.

/**
 * `always`: also during a pause. `held back`: such work never takes more than half of the slots. `overflow`: such work has slots of its
 * own, as many as all others together, and takes none of theirs.
 */
export type Lane = 'always' | 'normal' | 'held back' | 'overflow';

const ALL: readonly Lane[] = ['always', 'normal', 'held back', 'overflow'];

export class JobLanes<T> {
  readonly #max: number;
  /** The jobs that wait, each with the number of its arrival. */
  readonly #lanes: Readonly<Record<Lane, Map<T, number>>> = {
    always: new Map(),
    normal: new Map(),
    'held back': new Map(),
    overflow: new Map(),
  };
  readonly #taken = new Map<T, Lane>();
  readonly #counts: Record<Lane, number> = { always: 0, normal: 0, 'held back': 0, overflow: 0 };
  /** Jobs that were preempted and still run. */
  readonly #preempted = new Set<T>();
  #last = 0;

  constructor(max: number) {
    this.#max = max;
  }

  wait(one: T, lane: Lane): void {
    this.leave(one);
    this.#lanes[lane].set(one, ++this.#last);
  }

  /** Waits no longer. */
  leave(one: T): void {
    for (const lane of ALL) this.#lanes[lane].delete(one);
  }

  get waiting(): readonly T[] {
    return ALL.flatMap((lane) => [...this.#lanes[lane].keys()]);
  }

  /** Gives a slot to the job that has waited longest of those that may run now; undefined: there is none. */
  next(isPaused: boolean): T | undefined {
    let first: { readonly one: T; readonly number: number; readonly lane: Lane } | undefined;
    for (const lane of ALL) {
      if (!this.#isOpen(lane, isPaused)) continue;
      const [one, number] = this.#lanes[lane].entries().next().value ?? [];
      if (one !== undefined && number! < (first?.number ?? Number.POSITIVE_INFINITY)) first = { one, number: number!, lane };
    }
    if (!first) return undefined;
    const { one, lane } = first;
    this.#lanes[lane].delete(one);
    this.#put(one, lane);
    return one;
  }

  /** Moves a running job to the lane `overflow`, so that another one gets its slot; false: that lane is full. */
  moveToOverflow(one: T): boolean {
    if (this.#taken.get(one) === 'overflow') return true;
    if (!this.#taken.has(one) || this.#counts.overflow >= this.#max) return false;
    this.release(one);
    this.#put(one, 'overflow');
    return true;
  }

  /** Whether a running job is to be preempted now, because a job waits that needs its slot. It counts as preempted from then on. */
  preempt(one: T, isPaused: boolean): boolean {
    const lane = this.#taken.get(one);
    if (lane === undefined || this.#preempted.has(one)) return false;
    const preempted = [...this.#preempted].filter((other) => (this.#taken.get(other) === 'overflow') === (lane === 'overflow'));
    if (preempted.length >= this.#waitingFor(lane, isPaused)) return false;
    this.#preempted.add(one);
    return true;
  }

  release(one: T): void {
    const lane = this.#taken.get(one);
    if (lane === undefined) return;
    this.#taken.delete(one);
    this.#preempted.delete(one);
    this.#counts[lane]--;
  }

  #put(one: T, lane: Lane): void {
    this.#taken.set(one, lane);
    this.#counts[lane]++;
  }

  /** How many waiting jobs could take the slot of one of this lane. */
  #waitingFor(lane: Lane, isPaused: boolean): number {
    const { always, normal, 'held back': heldBack, overflow } = this.#lanes;
    if (lane === 'overflow') return isPaused ? 0 : overflow.size;
    if (isPaused) return always.size;
    return always.size + normal.size + (lane === 'held back' || !this.#isHeldBackFull ? heldBack.size : 0);
  }

  get #isHeldBackFull(): boolean {
    return this.#counts['held back'] >= Math.max(1, Math.floor(this.#max / 2));
  }

  #isOpen(lane: Lane, isPaused: boolean): boolean {
    if (isPaused && lane !== 'always') return false;
    const { overflow } = this.#counts;
    if (lane === 'overflow') return overflow < this.#max;
    if (this.#taken.size - overflow >= this.#max) return false;
    return lane !== 'held back' || !this.#isHeldBackFull;
  }
}

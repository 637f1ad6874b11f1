// How long jobs have waited for an agent: counted in classes, so that it costs the same after any number of jobs.

/** In seconds, each with those below it. */
export const WAITING_BOUNDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600] as const;

export interface WaitingFigures {
  readonly count: number;
  readonly seconds: number;
  /** For each bound, how many have waited as long at most. */
  readonly atMost: readonly { readonly bound: number; readonly count: number }[];
}

export class WaitingTimes {
  readonly #atMost: number[] = WAITING_BOUNDS.map(() => 0);
  #count = 0;
  #seconds = 0;

  add(milliseconds: number): void {
    // The clock may have been set back meanwhile.
    const seconds = Math.max(0, milliseconds) / 1000;
    this.#count++;
    this.#seconds += seconds;
    for (const [place, bound] of WAITING_BOUNDS.entries()) if (seconds <= bound) this.#atMost[place]!++;
  }

  figures(): WaitingFigures {
    const atMost = WAITING_BOUNDS.map((bound, place) => ({ bound, count: this.#atMost[place]! }));
    return { count: this.#count, seconds: this.#seconds, atMost };
  }
}

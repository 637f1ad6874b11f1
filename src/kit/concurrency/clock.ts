// The clock that periodic work goes by.

export interface Clock {
  now(): number;
  /** Calls back once. The returned function cancels that. */
  after(milliseconds: number, callBack: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after: (milliseconds, callBack) => {
    const timer = setTimeout(callBack, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

// The signals that stop an agent.

/** The terminal, npm and a service manager may all pass on the same signal. */
const DEBOUNCE_MS = 1000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StopSignals {
  readonly onStop: (stop: () => void) => void;
  /** From now on they have their usual effect. */
  readonly release: () => void;
}

export function stopSignals(): StopSignals {
  let [stop, isStopped] = [() => {}, false];
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  const onSignal = () => {
    const now = performance.now();
    if (now - lastSignalAt < DEBOUNCE_MS) return;
    lastSignalAt = now;
    isStopped = true;
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    onStop: (callBack) => {
      stop = callBack;
      if (isStopped) stop();
    },
    release: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}

// The signals that tell an agent to end.

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StopSignals {
  readonly onStop: (stop: () => void) => void;
  /** From now on they mean what they usually do. */
  readonly release: () => void;
}

export function stopSignals(): StopSignals {
  let [stop, isStopped] = [() => {}, false];
  const heard = () => {
    isStopped = true;
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, heard);
  return {
    onStop: (callBack) => {
      stop = callBack;
      if (isStopped) stop();
    },
    release: () => {
      for (const signal of SIGNALS) process.off(signal, heard);
    },
  };
}

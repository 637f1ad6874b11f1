// The tools that the server gives to a plugin that looks for changes somewhere else.

/** Addresses that connections must not go to, each kind with its message. The connection checks the address that it really connects to. */
export interface NetworkPolicy {
  readonly never: string;
  readonly loopback?: string;
  readonly private?: string;
}

export interface PollTools {
  /** Aborted when the caller does not wait for the answer any more. */
  readonly signal: AbortSignal;
  /** To be called whenever data has come: a poll that is silent for too long is taken for hung. */
  onActivity(): void;
  readonly networkPolicy: NetworkPolicy;
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number };
}

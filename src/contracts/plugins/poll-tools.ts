// What the server gives to a plugin that looks for changes somewhere else.
export interface PollTools {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** To be called whenever something has come: who is silent for too long is taken for hung. */
  onActivity(): void;
  readonly limits: { readonly timeoutMs: number; readonly mostBytes: number };
}

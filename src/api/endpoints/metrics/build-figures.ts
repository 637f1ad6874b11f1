// What the server that runs builds can tell of them.

export interface BuildFigures {
  readonly waiting: number;
  readonly running: number;
  /** Of all that have got an agent from this server. */
  readonly waits: {
    readonly count: number;
    readonly seconds: number;
    readonly atMost: readonly { readonly bound: number; readonly count: number }[];
  };
  readonly agents: readonly { readonly configState: string; readonly state: string; readonly count: number }[];
}

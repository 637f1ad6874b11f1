// What somebody has for a while, and nobody else meanwhile.

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows whenever somebody else gets it. */
  readonly epoch: number;
}

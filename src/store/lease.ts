// A lease: one replica holds it for a while, and no other replica meanwhile.

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows whenever another replica gets it. */
  readonly epoch: number;
}

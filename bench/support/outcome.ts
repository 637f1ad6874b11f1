// What came out of a measurement.

export interface Outcome {
  /** The figure as people read it. */
  readonly figure: string;
  /** undefined: no goal is set, the figure is only stated. */
  readonly isMet: boolean | undefined;
  /** false: something other than the servers decided the figure; absent: not checked. */
  readonly isReliable?: boolean;
  /** Everything that was measured, for programs. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Notes that help to judge the figure. */
  readonly notes: readonly string[];
}

// A measurement, and its result: one line of the table.
import type { Lab } from './lab.ts';

export interface Measurement {
  readonly name: string;
  readonly what: string;
  readonly beside: string;
  readonly goal: string;
  /** It takes minutes, so it is measured only when it is named. */
  readonly isLong?: true;
  run(lab: Lab): Promise<Outcome>;
}

export interface Outcome {
  /** The figure as people read it. */
  readonly figure: string;
  /** undefined: no goal is set, the figure is only stated. */
  readonly isMet: boolean | undefined;
  /** false: something other than the servers decided the figure; absent: not judged. */
  readonly isReliable?: boolean;
  /** Everything that was measured, for programs. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Notes that help to judge the figure. */
  readonly notes: readonly string[];
}

export type Result = Omit<Measurement, 'run'> & Outcome;

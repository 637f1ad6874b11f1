// A measurement, and its result: one line of the table.
import type { Lab } from './lab.ts';
import type { Outcome } from './outcome.ts';

export interface Measurement {
  readonly name: string;
  readonly what: string;
  readonly beside: string;
  readonly goal: string;
  /** It takes minutes, so it is measured only when it is named. */
  readonly isLong?: true;
  run(lab: Lab): Promise<Outcome>;
}

export type Result = Omit<Measurement, 'run'> & Outcome;

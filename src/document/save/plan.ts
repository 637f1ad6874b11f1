// What a file does to the configuration.
import type { TextProblem } from '../../kit/xml/tree.ts';
import type { Ignored } from '../upgrade/step.ts';

export interface Named {
  readonly kind: string;
  readonly id: string;
}

export interface Plan {
  readonly created: readonly Named[];
  readonly changed: readonly Named[];
  readonly removed: readonly Named[];
  /** How many stay as they are. */
  readonly unchanged: number;
  /** What of the file is not taken over. */
  readonly ignored: readonly Ignored[];
}

export interface CheckedPlan extends Plan {
  /** What is taken over although a plugin does not accept its settings. */
  readonly warnings: readonly TextProblem[];
}

export function changesAnything({ created, changed, removed }: Plan): boolean {
  return created.length + changed.length + removed.length > 0;
}

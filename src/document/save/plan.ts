// The changes that a file makes to the configuration.
import type { TextProblem } from '../../kit/xml/tree.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { Ignored } from '../upgrade/step.ts';

export interface Named {
  readonly kind: KindName;
  readonly id: string;
}

export interface Plan {
  readonly created: readonly Named[];
  readonly changed: readonly Named[];
  readonly removed: readonly Named[];
  /** How many stay as they are. */
  readonly unchanged: number;
  /** The parts of the file that are not taken over. */
  readonly ignored: readonly Ignored[];
}

export interface CheckedPlan extends Plan {
  /** Problems that plugins find in settings, which are taken over all the same. */
  readonly warnings: readonly TextProblem[];
}

export function changesAnything({ created, changed, removed }: Plan): boolean {
  return created.length + changed.length + removed.length > 0;
}

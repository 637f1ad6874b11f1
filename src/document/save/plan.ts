// The changes that a file makes to the configuration.
import type { TextProblem } from '../../kit/xml/tree.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { IgnoredContent } from '../upgrade/step.ts';

export interface PlannedEntity {
  readonly kind: KindName;
  readonly id: string;
}

export interface Plan {
  readonly created: readonly PlannedEntity[];
  readonly changed: readonly PlannedEntity[];
  readonly removed: readonly PlannedEntity[];
  /** How many stay as they are. */
  readonly unchanged: number;
  /** The parts of the file that are not taken over. */
  readonly ignored: readonly IgnoredContent[];
}

export interface CheckedPlan extends Plan {
  /** Problems that plugins find in settings, which are taken over all the same. */
  readonly warnings: readonly TextProblem[];
}

export function changesAnything({ created, changed, removed }: Plan): boolean {
  return created.length + changed.length + removed.length > 0;
}

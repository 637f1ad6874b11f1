// The stored plan of a job until it is completed: all that an agent will need, fixed when its stage is scheduled.
import type { Definition, WrittenMaterial } from '../../materials/catalogue/configured-types.ts';
import type { ConfiguredMaterial } from '../configured.ts';
import type { JobPlan } from './plan.ts';

/** The part of the plan that all jobs of a stage run share. Secrets are closed as in the configuration. */
export interface StageContext {
  readonly group: string;
  /** For those of materials whose addresses use parameters. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly materials: readonly PlannedMaterial[];
  readonly fetchMaterials: boolean;
  readonly cleanWorkingDirectory: boolean;
  /** It is planned by an older configuration, on purpose: later removals do not matter. */
  readonly isOfPast?: boolean;
}

export interface PlannedMaterial {
  readonly fingerprint: string;
  readonly type: string;
  readonly name: string | null;
  readonly folder: string | null;
  readonly description: string;
  readonly written: WrittenMaterial;
  readonly definition: Definition;
}

export function plannedMaterial({ found, fingerprint, type, name, folder, description }: ConfiguredMaterial): PlannedMaterial {
  return { fingerprint, type, name, folder, description, written: found.written, definition: found.definition };
}

export interface StoredPlan {
  readonly job: JobPlan;
  readonly context: StageContext;
}

export function planText(plan: StoredPlan): string {
  return JSON.stringify(plan);
}

export function readPlan(text: string): StoredPlan {
  // Written by `planText` alone.
  return JSON.parse(text) as StoredPlan;
}

// Runs of a pipeline as the API gives them.
import { shortRevision } from '../kit/text/text.ts';

export interface RunJob {
  readonly name: string;
  readonly state: string;
  readonly result: string;
}

export interface RunStage {
  readonly name: string;
  readonly counter: string;
  /** Whether it has been run. */
  readonly scheduled: boolean;
  readonly status: string;
  readonly result: string;
  readonly approval_type: 'success' | 'manual' | null;
  readonly approved_by: string | null;
  readonly operate_permission: boolean;
  readonly can_run: boolean;
  readonly awaits_approval: boolean;
  readonly can_rerun_failed_jobs: boolean;
  readonly scheduled_date: number | null;
  readonly completed_date: number | null;
  readonly cancelled_by?: string;
  readonly estimated_duration_ms?: number;
  readonly jobs: readonly RunJob[];
}

export interface RunModification {
  readonly revision: string;
  readonly modified_time: number;
  readonly user_name: string | null;
  readonly comment: string | null;
}

export interface RunMaterial {
  readonly changed: boolean;
  /** Absent: the run before was not made from it. */
  readonly since_previous_run?: 'newer' | 'same' | 'older';
  readonly material: { readonly name: string; readonly fingerprint: string; readonly type: string; readonly description: string };
  readonly modifications: readonly RunModification[];
}

export interface Run {
  readonly name: string;
  readonly counter: number;
  readonly label: string;
  readonly comment: string | null;
  readonly scheduled_date: number;
  readonly build_cause: {
    readonly trigger_message: string;
    readonly approver: string;
    readonly material_revisions: readonly RunMaterial[];
  };
  readonly stages: readonly RunStage[];
}

export interface HistoryPage {
  readonly _links: { readonly next?: { readonly href: string } };
  readonly pipelines: readonly Run[];
}

/** The type of a material that is a pipeline above. */
export const PIPELINE_TYPE = 'Pipeline';

export function isActive({ scheduled, result }: RunStage): boolean {
  return scheduled && result === 'Unknown';
}

/** A new change in a run, with its material; the newest come first. */
export interface Change {
  readonly material: RunMaterial['material'];
  readonly modification: RunModification;
}

/** The materials of which the run has an older revision than the run before. */
export function wentBack({ build_cause: { material_revisions: materials } }: Run): RunMaterial[] {
  return materials.filter(({ since_previous_run: step }) => step === 'older');
}

/** A run without new changes, in a sentence. */
export function unchangedText(run: Run): string {
  const back = wentBack(run);
  if (back.length > 0) {
    const names = back.map(({ material: { name }, modifications: [newest] }) => `${name}: ${shortRevision(newest?.revision ?? '')}`);
    return `Went back to an earlier revision of ${names.join(', ')}`;
  }
  const isSame = run.build_cause.material_revisions.every(({ since_previous_run: step }) => step === 'same');
  return isSame
    ? 'No changes: its materials have the same revisions as before'
    : 'No new changes: made from revisions that earlier runs had';
}

export function changesOf({ build_cause: { material_revisions: materials } }: Run): Change[] {
  return materials
    .filter(({ changed }) => changed)
    .flatMap(({ material, modifications }) => modifications.map((modification) => ({ material, modification })))
    .toSorted((one, other) => other.modification.modified_time - one.modification.modified_time);
}

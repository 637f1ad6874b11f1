// The record of a backup: when and why it was made, how far it is, and its result.

export type Status = 'IN_PROGRESS' | 'COMPLETED' | 'ERROR' | 'ABORTED';
export type Via = 'TIMER' | 'USER';

/** The steps that clients of the API know, in their order, with the message during each. */
export const STEPS = {
  STARTING: 'Starting Backup',
  CREATING_DIR: 'Creating Backup Directory',
  BACKUP_VERSION_FILE: 'Backing up Version File',
  BACKUP_CONFIG: 'Backing up Configuration',
  BACKUP_CONFIG_REPO: 'Backing up Configuration History',
  BACKUP_DATABASE: 'Backing up Database',
  POST_BACKUP_SCRIPT_START: 'Executing Post Backup Script',
  POST_BACKUP_SCRIPT_COMPLETE: 'Post Backup Script executed successfully',
} as const;
export type Step = keyof typeof STEPS;

export const SCHEDULED = 'Backup scheduled';
export const SUCCEEDED = 'Backup was generated successfully.';
export const INTERRUPTED = 'Server shut down while backup in progress.';
export const SCRIPT_FAILED = 'Post backup script exited with an error, check the server log for details.';
export const failedBecause = (reason: string): string => `Failed to perform backup. Reason: ${reason}`;

/** The parts of the work as we count them: finer than the steps, for some come after all of those. */
export type PhaseName = 'config' | 'history' | 'database' | 'consoles' | 'verification' | 'copy' | 'script';

export interface Phase {
  readonly name: PhaseName;
  readonly startedAt: string;
  /** So far, while it lasts. */
  readonly seconds: number;
  readonly bytes: number;
  /** As far as it is known. */
  readonly totalBytes: number;
}

export interface ScriptOutcome {
  readonly path: string;
  /** null: it was ended by a signal, or could not be started. */
  readonly exitStatus: number | null;
  readonly output: string;
  /** The failure, in words. */
  readonly problem: string | null;
}

/** `waiting`: it did not work, and will be tried again; `failed`: it will not. */
export type CopyStatus = 'running' | 'completed' | 'waiting' | 'failed';

/** The copy in the bucket. */
export interface CopyOutcome {
  readonly status: CopyStatus;
  readonly address: string;
  readonly message: string;
}

export interface BackupRecord {
  readonly id: number;
  /** When it was asked for. */
  readonly time: string;
  readonly user: string;
  readonly via: Via;
  readonly status: Status;
  readonly step: Step;
  readonly message: string;
  readonly path: string;
  readonly endedAt: string | null;
  readonly bytes: number | null;
  readonly phases: readonly Phase[];
  /** null: not yet. */
  readonly verified: boolean | null;
  /** Why it is not verified. */
  readonly verification: string | null;
  readonly script: ScriptOutcome | null;
  readonly copy: CopyOutcome | null;
  /** When its folder was removed because newer ones are there. */
  readonly removedAt: string | null;
}

/** Stands in place of a user in the records of scheduled backups. */
export const TIMER = 'timer';

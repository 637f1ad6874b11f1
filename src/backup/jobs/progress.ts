// How work in another process says where it is.
import type { PhaseName, Step } from '../record.ts';

/** A new step with its total of bytes, bytes done since the last report, or a note to keep in case of a crash. */
export interface Progress {
  readonly step?: Step;
  /** Where it is no step that clients know. */
  readonly phase?: PhaseName;
  readonly total?: number;
  readonly bytes?: number;
  readonly note?: unknown;
}

export type ReportProgress = (progress: Progress) => void;

// The answers of the server about runs, with only the fields that commands use.

export type Result = 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';

export interface JobInStage {
  readonly name: string;
  readonly state: string;
  readonly result: Result;
}

export interface StageInRun {
  readonly name: string;
  readonly counter: string;
  /** Whether it has been run. */
  readonly scheduled: boolean;
  readonly status: string;
  readonly result: Result;
  readonly approval_type: string | null;
  /** In milliseconds since 1970 began; only while it is under way, and only where the server can estimate it. */
  readonly estimated_end?: number;
  readonly jobs: readonly JobInStage[];
}

export interface RunAnswer {
  readonly name: string;
  readonly counter: number;
  readonly label: string;
  readonly build_cause: { readonly trigger_forced: boolean; readonly approver: string };
  readonly stages: readonly StageInRun[];
}

export interface HistoryAnswer {
  readonly pipelines: readonly RunAnswer[];
}

export interface JobAnswer {
  readonly name: string;
  readonly state: string;
  readonly result: Result;
}

export interface Reason {
  readonly rule: string;
  readonly message: string;
}

export interface PipelineWhy {
  readonly will_run: boolean;
  readonly is_requested: boolean;
  readonly reasons: readonly Reason[];
  readonly last_run: { readonly counter: number; readonly label: string; readonly scheduled_date: number } | null;
  readonly materials: readonly {
    readonly type: string;
    readonly description: string;
    readonly last_run_revision: string | null;
    readonly latest_revision: string | null;
  }[];
}

export interface JobWhy {
  readonly will_run: boolean;
  readonly state: string;
  readonly reasons: readonly Reason[];
  readonly agents: readonly {
    readonly uuid: string;
    readonly hostname: string | null;
    readonly may_take: boolean;
    readonly message: string;
  }[];
}

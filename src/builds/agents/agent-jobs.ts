// The current and the past jobs of agents, as the API shows them with an agent. The engine knows them.

export interface CurrentJob {
  readonly pipeline: string;
  readonly pipelineCounter: number;
  readonly stage: string;
  readonly stageCounter: number;
  readonly job: string;
  readonly isCancelling: boolean;
}

export const SORT_COLUMNS = ['completed', 'pipeline', 'stage', 'job', 'result', 'duration'] as const;
export const SORT_ORDERS = ['asc', 'desc'] as const;

export interface HistoryQuery {
  readonly offset: number;
  /** The last job of the page before. */
  readonly after?: number;
  readonly pageSize: number;
  readonly sortColumn: (typeof SORT_COLUMNS)[number];
  readonly sortOrder: (typeof SORT_ORDERS)[number];
}

export interface PastJob {
  readonly pipeline: string;
  readonly pipelineCounter: number;
  readonly stage: string;
  readonly stageCounter: number;
  readonly job: string;
  readonly result: string;
  readonly isRerun: boolean;
  /** Milliseconds. */
  readonly transitions: readonly { readonly state: string; readonly at: number }[];
}

export interface JobHistory {
  readonly total: number;
  readonly jobs: readonly PastJob[];
  /** The last of these, where there are more. */
  readonly last?: number;
}

export interface AgentJobs {
  currentOf(uuid: string): CurrentJob | undefined;
  history(uuid: string, query: HistoryQuery): Promise<JobHistory>;
  /** Ends the tasks of a job that is being cancelled, also those that run because of that. */
  kill(uuid: string): 'accepted' | 'not cancelling';
}

// What is known of a pipeline as a whole, and what whoever looks may do with it.
import { path } from '../api/address.ts';
import { type Read, useApi } from '../api/queries.ts';
import { tellsOf } from './use-runs.ts';

export interface PipelineStatus {
  readonly name: string;
  readonly group: string;
  readonly paused: boolean;
  readonly paused_cause: string;
  readonly paused_by: string;
  readonly paused_at: string | null;
  readonly locked: boolean;
  readonly locked_by: { readonly counter: number; readonly label: string; readonly scheduled_date: number } | null;
  readonly can_trigger: boolean;
  readonly can_operate: boolean;
  readonly can_administer: boolean;
}

const VERSION = 1;

export function useStatus(pipeline: string): Read<PipelineStatus> {
  const isAbout = tellsOf(pipeline);
  return useApi<PipelineStatus>(path`/api/pipelines/${pipeline}/status`, VERSION, {
    changedBy: (notice) => isAbout(notice) || notice.kind === 'config',
  });
}

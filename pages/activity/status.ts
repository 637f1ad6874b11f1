// The status of a pipeline as a whole, and the actions that the user may take.

import { path } from '../api/address.ts';
import type { AnswerOf, WithoutLinks } from '../api/answers.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { isNoticeAbout } from './use-runs.ts';

export type PipelineStatus = WithoutLinks<AnswerOf<'GET /api/pipelines/{pipeline_name}/status'>>;

const VERSION = 1;

export function useStatus(pipeline: string): ReadState<PipelineStatus> {
  const isAbout = isNoticeAbout(pipeline);
  return useApi<PipelineStatus>(path`/api/pipelines/${pipeline}/status`, VERSION, {
    changedBy: (notice) => isAbout(notice) || notice.kind === 'config',
  });
}

// Joins the reading of test reports to the server: where the files of a job lie, and which pipeline it belongs to.

import type { JobIdentifier } from '../../artifacts/stage-run.ts';
import type { ArtifactStorage } from '../../artifacts/storage/storage.ts';
import type { Log } from '../../kit/log.ts';
import { Jobs } from '../../store/builds/jobs.ts';
import { Runs } from '../../store/builds/runs.ts';
import { StageRuns } from '../../store/builds/stage-runs.ts';
import type { Database } from '../../store/database.ts';
import { TestReports } from '../../test-reports/test-reports.ts';
import type { OpenArtifacts } from './artifacts.ts';

export interface OpenTestReportParts {
  /** The database as the keeper writes to it. */
  readonly database: Database;
  readonly artifacts: Pick<OpenArtifacts, 'onPublished'> & { readonly storage: Pick<ArtifactStorage, 'read'> };
  /** The results of a job of this pipeline have changed. */
  onRead(pipelineKey: string): void;
  readonly log: Log;
}

/** It reads every test report that is published from now on. */
export function openTestReports({ database, artifacts, onRead, log }: OpenTestReportParts): TestReports {
  const [runs, stageRuns, jobs] = [new Runs(database), new StageRuns(database), new Jobs(database)];
  const identifierOf = async (jobId: number): Promise<JobIdentifier | undefined> => {
    const job = await jobs.byId(jobId);
    const stageRun = job && (await stageRuns.byId(job.stage_run_id));
    const run = stageRun && (await runs.byId(stageRun.run_id));
    if (!run) return undefined;
    return { pipeline: run.pipeline, pipelineCounter: run.counter, stage: stageRun.stage, stageCounter: stageRun.counter, job: job.name };
  };
  const reports = new TestReports({
    database,
    log,
    onRead,
    pipelineOf: async (jobId) => (await jobs.byId(jobId))?.pipeline_key,
    read: async (jobId, path) => {
      const identifier = await identifierOf(jobId);
      return identifier && artifacts.storage.read(identifier, path);
    },
  });
  artifacts.onPublished(async (job, type, files) => {
    if (type === 'test') await reports.take(job.id, files);
  });
  return reports;
}

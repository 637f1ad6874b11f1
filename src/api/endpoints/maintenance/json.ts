// Maintenance mode as JSON.
import type { RunningJob } from '../../../kit/concurrency/periodic/periodic.ts';
import type { LastChange } from '../../../maintenance/mode.ts';
import type { Period } from '../../../maintenance/period.ts';
import { type BuildJob, isDrained, type RunningSystems } from '../../../maintenance/running-systems.ts';
import type { Json, JsonOut } from '../../../shape/json/json.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';

export const MAINTENANCE_PATH = '/api/admin/maintenance_mode';
export const INFO_PATH = `${MAINTENANCE_PATH}/info`;
export const WAIT_PATH = `${MAINTENANCE_PATH}/wait`;

export interface MaintenanceInfo {
  readonly period: Period | undefined;
  readonly lastChange: LastChange | undefined;
  readonly running: RunningSystems;
}

export function infoJson({ period, lastChange, running }: MaintenanceInfo, base: string): JsonOut {
  return {
    _links: linksFrom(base, INFO_PATH),
    is_maintenance_mode: period !== undefined,
    metadata: { updated_by: lastChange?.by ?? null, updated_on: dateOf(lastChange?.at ?? null) },
    ...(period && {
      attributes: {
        has_running_systems: !isDrained(running),
        running_systems: runningJson(running),
        reason: period.reason,
        until: dateOf(period.until),
        survive_restart: period.survivesRestart,
      },
    }),
  };
}

export function drainedJson(running: RunningSystems, base: string): JsonOut {
  return { _links: linksFrom(base, WAIT_PATH), drained: isDrained(running), running_systems: runningJson(running) };
}

export function runningJson({ materialUpdates, otherWork, building, scheduled }: RunningSystems): JsonOut {
  return {
    material_update_in_progress: materialUpdates.map(materialJson),
    building_jobs: building.map(buildJson),
    scheduled_jobs: scheduled.map(buildJson),
    other_work: otherWork.map(({ name, startedAt }) => ({ name, start_time: dateOf(startedAt) })),
  };
}

function materialJson({ details, startedAt }: RunningJob): JsonOut {
  return { ...(details as Readonly<Record<string, Json>>), mdu_start_time: dateOf(startedAt) };
}

function buildJson(job: BuildJob): JsonOut {
  return {
    pipeline_name: job.pipelineName,
    pipeline_counter: job.pipelineCounter,
    stage_name: job.stageName,
    stage_counter: job.stageCounter,
    name: job.name,
    state: job.state,
    scheduled_date: dateOf(job.scheduledAt),
    agent_uuid: job.agentUuid,
  };
}

function linksFrom(base: string, self: string): JsonOut {
  return links(base, { self, doc: docLink('maintenance-mode') });
}

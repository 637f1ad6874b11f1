// The dashboard in the form of GoCD. The text of a pipeline is made once, with gaps for the rights of the caller.
import { randomUUID } from 'node:crypto';
import type { DashboardRow } from '../../../builds/dashboard/dashboard-index.ts';
import type { DashboardConfigStage, DashboardRunFacts, DashboardStageFacts } from '../../../builds/dashboard/facts.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { type Caller, mayTrigger } from './caller.ts';

/** Stands where a right is written. It is random, so that no configured name contains it. */
const GAP = randomUUID();

/** The right that stands in each gap, in their order. */
type Right = 'operate' | 'administer' | 'pause' | { readonly stage: DashboardConfigStage | undefined };

interface PipelineText {
  readonly pieces: readonly string[];
  readonly gaps: readonly Right[];
}

const known = new WeakMap<DashboardRow, PipelineText>();

export function pipelineText(row: DashboardRow, caller: Caller): string {
  const { pieces, gaps } = known.get(row) ?? remembered(row);
  const { pipeline } = row.facts;
  const operates = caller.operates(pipeline);
  let text = pieces[0]!;
  for (const [index, right] of gaps.entries()) {
    const has =
      right === 'operate'
        ? mayTrigger(caller, pipeline)
        : right === 'administer'
          ? caller.administers(pipeline)
          : right === 'pause' || !right.stage?.approvers
            ? operates
            : caller.operatesStage(pipeline, right.stage);
    text += `${has}${pieces[index + 1]}`;
  }
  return text;
}

function remembered(row: DashboardRow): PipelineText {
  const gaps: Right[] = [];
  const gap = (right: Right) => {
    gaps.push(right);
    return GAP;
  };
  const text = JSON.stringify(pipelineJson(row, gap));
  const template = { pieces: text.split(JSON.stringify(GAP)), gaps };
  known.set(row, template);
  return template;
}

/** Members are written in this order, and so are the gaps. */
function pipelineJson({ facts, changedAt }: DashboardRow, gap: (right: Right) => string): JsonOut {
  const { pipeline, isLocked, pause, runs } = facts;
  const { name, template, repo, trackingTool } = pipeline;
  return {
    name,
    last_updated_timestamp: changedAt,
    locked: isLocked,
    pause_info: {
      paused: pause !== null,
      paused_by: pause?.by ?? null,
      pause_reason: pause?.cause ?? null,
      paused_at: pause?.at ?? null,
    },
    template_info: { is_using_template: template !== null, template_name: template },
    can_operate: gap('operate'),
    can_administer: gap('administer'),
    can_unlock: gap('pause'),
    can_pause: gap('pause'),
    from_config_repo: repo !== null,
    ...(repo && { config_repo_id: repo.id, config_repo_material_url: repo.url }),
    ...(trackingTool && { tracking_tool: { regex: trackingTool.regex, link: trackingTool.urlPattern } }),
    _embedded: { instances: runs.map((run) => runJson(run, gap)) },
  };
}

function runJson({ label, counter, approver, scheduledAt, stages }: DashboardRunFacts, gap: (right: Right) => string): JsonOut {
  return {
    label,
    counter,
    triggered_by: `Triggered by ${approver}`,
    scheduled_at: timeOf(scheduledAt),
    _embedded: { stages: stages.map((stage) => stageJson(stage, gap)) },
  };
}

function stageJson(stage: DashboardStageFacts, gap: (right: Right) => string): JsonOut {
  const { name, counter, status, isManual, approvedBy, scheduledAt, configured, cancelledBy, previous } = stage;
  return {
    name,
    // A stage that has not been run has no counter yet: this will be its first.
    counter: String(counter || 1),
    status,
    approval_type: isManual ? 'manual' : 'success',
    approved_by: approvedBy,
    scheduled_at: scheduledAt === null ? null : timeOf(scheduledAt),
    can_operate: gap({ stage: configured }),
    allow_only_on_success_of_previous_stage: configured?.allowOnlyOnSuccess ?? false,
    ...(status === 'Cancelled' && { cancelled_by: cancelledBy }),
    ...(previous && {
      previous_stage: {
        name: previous.stage,
        counter: String(previous.counter),
        status: previous.result,
        pipeline_counter: previous.pipeline_counter,
        pipeline_label: previous.label,
      },
    }),
  };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

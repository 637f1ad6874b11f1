// The environment of a job: the variables for its tasks, in the order in which they are set. Later ones win.
import type { WorkVariable } from '../../contracts/agent-protocol/work.ts';
import { type MaterialFacts, materialVariables } from './materials/material-variables.ts';

export interface EnvironmentFacts {
  /** The address that agents reach the server by. */
  readonly serverUrl: string;
  readonly group: string;
  /** The environment that the pipeline is in, with its variables. */
  readonly environment: { readonly name: string; readonly variables: readonly WorkVariable[] } | null;
  readonly agentResources: readonly string[];
  /** `changes`, `timer` or a user. */
  readonly approver: string;
  readonly pipeline: string;
  readonly counter: number;
  readonly label: string;
  readonly stage: string;
  readonly stageCounter: number;
  /** Only where jobs were run again. */
  readonly rerunOfCounter: number | null;
  readonly job: string;
  readonly materials: readonly MaterialFacts[];
  /** Of pipeline, stage and job, as the plan of the job has them, with secrets in clear. */
  readonly variables: readonly WorkVariable[];
  readonly instance: { readonly index: number; readonly count: number } | null;
  /** Given with a manual trigger. */
  readonly triggerVariables: readonly WorkVariable[];
  /** Of the trace that the job belongs to, in the form of W3C Trace Context. */
  readonly traceparent?: string | undefined;
}

export function environmentOf(facts: EnvironmentFacts): WorkVariable[] {
  const { environment, agentResources, instance } = facts;
  const variables = [
    plain('GO_SERVER_URL', facts.serverUrl),
    plain('GO_PIPELINE_GROUP_NAME', facts.group),
    ...(environment ? [plain('GO_ENVIRONMENT_NAME', environment.name), ...environment.variables] : []),
    ...(agentResources.length > 0 ? [plain('GO_AGENT_RESOURCES', agentResources.join(','))] : []),
    plain('GO_TRIGGER_USER', facts.approver),
    ...identity(facts),
    // The name that programs which make traces look for.
    ...(facts.traceparent === undefined ? [] : [plain('TRACEPARENT', facts.traceparent)]),
    ...facts.materials.flatMap(materialVariables),
    ...facts.variables,
    ...(instance ? [plain('GO_JOB_RUN_INDEX', String(instance.index)), plain('GO_JOB_RUN_COUNT', String(instance.count))] : []),
  ];
  return [...variables, ...overriding(facts.triggerVariables, variables)];
}

function identity(facts: EnvironmentFacts): WorkVariable[] {
  const { pipeline, counter, label, stage, stageCounter, rerunOfCounter, job } = facts;
  return [
    plain('GO_PIPELINE_NAME', pipeline),
    plain('GO_PIPELINE_COUNTER', String(counter)),
    plain('GO_PIPELINE_LABEL', label),
    plain('GO_STAGE_NAME', stage),
    plain('GO_STAGE_COUNTER', String(stageCounter)),
    ...(rerunOfCounter === null ? [] : [plain('GO_RERUN_OF_STAGE_COUNTER', String(rerunOfCounter))]),
    plain('GO_JOB_NAME', job),
  ];
}

/** Only variables that are there already; a secret one stays secret, whichever variable overrides it. */
function overriding(given: readonly WorkVariable[], present: readonly WorkVariable[]): WorkVariable[] {
  return given.flatMap((variable) => {
    const replaced = present.filter(({ name }) => name === variable.name);
    return replaced.length === 0 ? [] : [{ ...variable, is_secret: variable.is_secret || replaced.some(({ is_secret }) => is_secret) }];
  });
}

function plain(name: string, value: string): WorkVariable {
  return { name, value, is_secret: false };
}

// Sets pipelines off: by changes of their materials, by timers and by requests of users; one decision at a time for each pipeline.
import type { Modifications } from '../../store/materials/modifications.ts';
import type { BuildState } from '../build-state.ts';
import type { BuildConfig, PipelineDefinition } from '../configured.ts';
import { BY_CHANGES, BY_TIMER, type Cause, changedBy, forcedBy } from '../runs/cause.ts';
import { newRun } from '../runs/new-run.ts';
import { type StagePlanParts, stagePlans } from '../runs/stage-plans.ts';
import type { TriggerKind } from './decide-trigger.ts';
import { type Obstacle, obstaclesTo, type PipelineNow } from './obstacles.ts';
import type { Decision, TriggerDecisions } from './trigger-decisions.ts';
import type { TriggerRequest } from './trigger-request.ts';

export interface TriggerParts extends StagePlanParts {
  readonly state: BuildState;
  readonly config: BuildConfig;
  readonly decisions: TriggerDecisions;
  readonly modifications: Pick<Modifications, 'byIds' | 'firstAfter'>;
  /** The current state of a pipeline. */
  now(pipeline: PipelineDefinition): Promise<PipelineNow>;
  /** Jobs wait for agents. */
  onScheduled(): void;
  /** Administrators should know; undefined: it is right again. */
  reportProblem(pipeline: PipelineDefinition, problem: string | undefined): void;
  /** There is a new run of it. */
  onRun(pipeline: PipelineDefinition): void;
}

/** The facts for an automatic run at this moment. */
export interface Explanation {
  readonly obstacles: readonly Obstacle[];
  readonly decision: Decision;
  /** Why the jobs of its first stage cannot be made; undefined: they can. */
  readonly planProblem: string | undefined;
}

export type Outcome =
  | { readonly kind: 'scheduled'; readonly counter: number }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }
  | { readonly kind: 'refused'; readonly decision: Extract<Decision, { isToRun: false }> }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'gone' };

export class Triggers {
  readonly #parts: TriggerParts;
  /** The keys of pipelines that were not set off because no agent fits a job that runs on all of them. */
  readonly #pipelinesWithoutAgent = new Set<string>();

  constructor(parts: TriggerParts) {
    this.#parts = parts;
  }

  /** Looks whether something new sets a pipeline off. */
  async check(name: string): Promise<Outcome> {
    const outcome = await this.#serialized(name, (pipeline) => this.#try(pipeline, { kind: 'auto' }));
    if (outcome.kind === 'problem') this.#pipelinesWithoutAgent.add(name.toLowerCase());
    else this.#pipelinesWithoutAgent.delete(name.toLowerCase());
    return outcome;
  }

  /** By hand, or by a timer. */
  serve(name: string, request: TriggerRequest): Promise<Outcome> {
    return this.#serialized(name, (pipeline) => this.#try(pipeline, request));
  }

  /** The pipelines to look at again when agents come or change. */
  get pipelinesWithoutAgent(): Iterable<string> {
    return this.#pipelinesWithoutAgent;
  }

  async explain(pipeline: PipelineDefinition): Promise<Explanation> {
    const obstacles = obstaclesTo('auto', pipeline, await this.#parts.now(pipeline));
    const [first] = pipeline.stages;
    const planned = first && stagePlans(pipeline, first, this.#parts);
    const planProblem = planned && 'refusal' in planned ? planned.refusal : undefined;
    return { obstacles, decision: await this.#parts.decisions.decide(pipeline, { kind: 'auto' }), planProblem };
  }

  async obstacleTo(kind: TriggerKind, pipeline: PipelineDefinition): Promise<Obstacle | undefined> {
    return obstaclesTo(kind, pipeline, await this.#parts.now(pipeline))[0];
  }

  #serialized(name: string, work: (pipeline: PipelineDefinition) => Promise<Outcome>): Promise<Outcome> {
    const { config, state } = this.#parts;
    return state.pipelineMutex.run(name.toLowerCase(), async () => {
      const pipeline = await config.find(name);
      return pipeline && pipeline.stages.length > 0 ? work(pipeline) : { kind: 'gone' };
    });
  }

  async #try(pipeline: PipelineDefinition, ask: Partial<TriggerRequest> & Pick<TriggerRequest, 'kind'>): Promise<Outcome> {
    const { decisions, reportProblem } = this.#parts;
    const { kind, onlyOnChanges = false, pinned = [] } = ask;
    const obstacle = await this.obstacleTo(kind, pipeline);
    if (obstacle) return { kind: 'obstacle', obstacle };
    const decision = await decisions.decide(pipeline, { kind, onlyOnChanges, pinned: new Map(pinned) });
    if (!decision.isToRun) {
      reportProblem(pipeline, decision.reason.rule === 'fan_in' ? decision.reason.message : undefined);
      return { kind: 'refused', decision };
    }
    return this.#schedule(pipeline, await this.#causeOf(pipeline, ask, decision), decision);
  }

  async #schedule(pipeline: PipelineDefinition, cause: Cause, decision: Extract<Decision, { isToRun: true }>): Promise<Outcome> {
    const { state, config, modifications, onScheduled, onRun, reportProblem } = this.#parts;
    const planned = stagePlans(pipeline, pipeline.stages[0]!, this.#parts);
    if ('refusal' in planned) {
      reportProblem(pipeline, planned.refusal);
      return { kind: 'problem', message: planned.refusal };
    }
    const { revisions, facts } = decision;
    const made = await newRun(state, modifications, {
      pipeline,
      cause,
      revisions,
      facts: facts.materials,
      plans: planned.plans,
      configuration: config.revision,
    });
    await state.writer.commit(made);
    if (pipeline.lockBehavior !== 'none') state.locks.set(pipeline.key, made.run.id);
    state.active.add(made.stageRun);
    reportProblem(pipeline, undefined);
    onRun(pipeline);
    onScheduled();
    return { kind: 'scheduled', counter: made.run.counter };
  }

  async #causeOf(
    { materials }: PipelineDefinition,
    { kind, by = '', variables = [] }: Partial<TriggerRequest> & Pick<TriggerRequest, 'kind'>,
    { revisions }: Extract<Decision, { isToRun: true }>,
  ): Promise<Cause> {
    if (kind === 'manual') return { kind, message: forcedBy(by), approver: by, variables };
    if (kind === 'timer') return { kind, message: forcedBy(BY_TIMER), approver: BY_TIMER, variables };
    const changed = revisions.find(({ isChanged }) => isChanged) ?? revisions[0]!;
    const [newest] = await this.#parts.modifications.byIds([changed.modification]);
    const isUpstream = materials.some(({ fingerprint, upstream }) => fingerprint === changed.fingerprint && upstream !== undefined);
    const message = changedBy({ userName: newest?.userName ?? null, upstream: isUpstream ? newest?.revision : undefined });
    return { kind, message, approver: BY_CHANGES, variables };
  }
}

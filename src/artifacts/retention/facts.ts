// The facts that retention needs from the rest of the server, and its decisions about stage runs.
import type { PurgeableRun, PurgeableRuns } from '../../store/artifacts/purgeable-runs.ts';
import type { SpaceSettings } from './disk-space.ts';
import { isPurgeable, type StageNow } from './purgeable.ts';
import { keepsAll, newestKept, type RetentionRule, reasonByRule, ruleFor } from './rules.ts';

export interface RetentionFacts {
  readonly runs: PurgeableRuns;
  settings(): SpaceSettings;
  rules(): readonly RetentionRule[];
  /** undefined: it is not configured any more. */
  stageNow(pipeline: string, stageKey: string): StageNow | undefined;
  /** Bytes free on the disk of the artifacts now; undefined: nothing is known of it, or they lie on none. */
  free(): Promise<number | undefined>;
  now(): number;
}

export function mayBePurged({ stageNow }: Pick<RetentionFacts, 'stageNow'>, run: PurgeableRun): boolean {
  return isPurgeable(run, stageNow(run.pipeline, run.stageKey));
}

interface OfPipeline {
  readonly rule: RetentionRule;
  readonly keptFrom: number | undefined;
}

/** What the rules decide at one time: the facts about a pipeline are looked up once. */
export class RuleDecisions {
  readonly #facts: RetentionFacts;
  readonly #rules: readonly RetentionRule[];
  readonly #now: number;
  readonly #pipelines = new Map<string, OfPipeline | undefined>();

  constructor(facts: RetentionFacts) {
    this.#facts = facts;
    this.#rules = facts.rules();
    this.#now = facts.now();
  }

  /** Why it goes; undefined: it stays. */
  async reason(run: PurgeableRun): Promise<string | undefined> {
    if (this.#rules.length === 0 || !mayBePurged(this.#facts, run)) return undefined;
    const found = await this.ofPipeline(run.pipelineKey);
    return found && reasonByRule(run, found.rule, found.keptFrom, this.#now);
  }

  /** undefined: nothing of it goes by a rule. */
  async ofPipeline(key: string): Promise<OfPipeline | undefined> {
    if (!this.#pipelines.has(key)) this.#pipelines.set(key, await this.#find(key));
    return this.#pipelines.get(key);
  }

  async #find(key: string): Promise<OfPipeline | undefined> {
    const rule = ruleFor(key, this.#rules);
    if (!rule || keepsAll(rule)) return undefined;
    return { rule, keptFrom: await this.#facts.runs.nthNewest(key, newestKept(rule)) };
  }
}

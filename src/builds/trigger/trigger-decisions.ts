// Decides whether a pipeline runs now: reads the facts, asks the rules, and with upstream pipelines fan-in.
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { PipelineDefinition } from '../configured.ts';
import { type ChosenRevision, decideTrigger, type MaterialFacts, type TriggerKind } from './decide-trigger.ts';
import { type Disagreement, type FanInReason, fanIn } from './fan-in.ts';
import type { PinnedRevisions, PipelineFacts, RevisionFacts } from './revision-facts.ts';
import type { UpstreamRuns } from './upstream-runs.ts';

export interface TriggerConditions {
  readonly kind: TriggerKind;
  readonly onlyOnChanges?: boolean;
  readonly pinned?: PinnedRevisions;
}

export type Decision =
  | { readonly isToRun: true; readonly revisions: readonly ChosenRevision[]; readonly facts: PipelineFacts }
  | { readonly isToRun: false; readonly reason: DecisionReason };

export type DecisionReason =
  | {
      readonly rule: 'no_modifications' | 'already_run' | 'ignored';
      readonly fingerprints: readonly string[];
      readonly facts: PipelineFacts;
      /** Why fan-in has chosen older upstream runs than the newest; null: it has not. */
      readonly disagreement: Disagreement | null;
    }
  | { readonly rule: 'fan_in'; readonly message: string; readonly reason: FanInReason }
  /** The files that define the pipeline were read from another revision than it would be built from. */
  | { readonly rule: 'config_repo'; readonly read: string | null; readonly wanted: string };

interface FanInChoice {
  readonly materials: readonly MaterialFacts[];
  readonly disagreement: Disagreement | null;
}

export interface TriggerDecisionParts {
  readonly facts: RevisionFacts;
  readonly upstream: UpstreamRuns;
  readonly modifications: Pick<Modifications, 'byIds'>;
}

export class TriggerDecisions {
  readonly #parts: TriggerDecisionParts;

  constructor(parts: TriggerDecisionParts) {
    this.#parts = parts;
  }

  async decide(pipeline: PipelineDefinition, { kind, onlyOnChanges = false, pinned }: TriggerConditions): Promise<Decision> {
    const facts = await this.#parts.facts.of(pipeline, pinned);
    const previousMaterials = facts.previous?.revisions.map(({ fingerprint }) => fingerprint);
    const decide = (materials: readonly MaterialFacts[]) => decideTrigger({ kind, onlyOnChanges, previousMaterials, materials });
    const first = decide(facts.materials);
    if (!first.isToRun)
      return { isToRun: false, reason: { rule: first.rule, fingerprints: first.fingerprints, facts, disagreement: null } };
    if (kind !== 'auto') return { ...first, facts };
    if (pipeline.materials.every(({ upstream }) => upstream === undefined))
      return this.#unlessReadFromOther(pipeline, first.revisions, facts);
    const chosen = await this.#fanIn(pipeline, facts);
    if ('reason' in chosen) return { isToRun: false, reason: { rule: 'fan_in', ...chosen } };
    const { materials, disagreement } = chosen;
    const consistent = { ...facts, materials };
    const second = decide(materials);
    if (!second.isToRun)
      return { isToRun: false, reason: { rule: second.rule, fingerprints: second.fingerprints, facts: consistent, disagreement } };
    return this.#unlessReadFromOther(pipeline, second.revisions, consistent);
  }

  async #fanIn(
    pipeline: PipelineDefinition,
    facts: PipelineFacts,
  ): Promise<FanInChoice | { readonly message: string; readonly reason: FanInReason }> {
    const { upstream, facts: reader } = this.#parts;
    const roots = pipeline.materials
      .filter((material) => material.upstream === undefined)
      .map(({ fingerprint }) => ({ fingerprint, latest: rootOf(facts.latest.get(fingerprint)) }));
    const dependencies = await upstream.dependenciesOf(pipeline);
    const decision = await fanIn({ pipeline: pipeline.name, dependencies, roots }, upstream.candidates());
    if (!decision.isCompatible) return { message: decision.message, reason: decision.reason };
    const chosen = new Map(decision.revisions.map(({ fingerprint, modification }) => [fingerprint, modification]));
    const materials: MaterialFacts[] = [];
    for (const [index, known] of facts.materials.entries()) {
      if (materials.length > 0) await pause();
      const modification = chosen.get(known.fingerprint)!;
      const material = pipeline.materials[index]!;
      materials.push(modification === known.latest ? known : await reader.withLatest(pipeline.key, material, known, modification));
    }
    return { materials, disagreement: decision.disagreement };
  }

  /** New code must not run with an old definition: the files of the pipeline come from the same repository. */
  async #unlessReadFromOther(
    { definedBy, materials }: PipelineDefinition,
    revisions: readonly ChosenRevision[],
    facts: PipelineFacts,
  ): Promise<Decision> {
    const own = definedBy && revisions.find(({ fingerprint }) => fingerprint === definedBy.fingerprint);
    if (!own || materials.some(({ upstream }) => upstream?.isOfSameRepo)) return { isToRun: true, revisions, facts };
    const [modification] = await this.#parts.modifications.byIds([own.modification]);
    if (modification?.revision === definedBy.revision) return { isToRun: true, revisions, facts };
    const wanted = modification?.revision ?? '';
    return { isToRun: false, reason: { rule: 'config_repo', read: definedBy.revision, wanted } };
  }
}

function rootOf(modification: Modification | undefined) {
  return modification ? { modification: modification.id, time: modification.modifiedTime.getTime() } : null;
}

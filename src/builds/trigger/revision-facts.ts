// Reads the facts for a trigger decision: the newest modification of each material, and the revisions of earlier runs.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { isIgnored } from '../../materials/filters/filter.ts';
import type { RunRevision, Runs } from '../../store/builds/runs.ts';
import type { Materials } from '../../store/materials/materials.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { ConfiguredMaterial, PipelineDefinition } from '../configured.ts';
import type { MaterialFacts } from './decide-trigger.ts';

/** Of the modifications that are new to a pipeline, so many are read at a time. */
const BATCH = 200;

export interface RevisionFactsParts {
  readonly runs: Pick<Runs, 'last' | 'revisionsOf' | 'hasRunWith' | 'newestRunWith'>;
  readonly materials: Pick<Materials, 'find'>;
  readonly modifications: Pick<Modifications, 'newest' | 'after' | 'find' | 'byIds' | 'filesOf'>;
}

export interface PreviousRun {
  readonly id: number;
  readonly counter: number;
  readonly revisions: readonly RunRevision[];
}

export interface PipelineFacts {
  readonly previous: PreviousRun | undefined;
  readonly materials: readonly MaterialFacts[];
  /** By id: the latest of each material. */
  readonly latest: ReadonlyMap<string, Modification>;
}

/** A revision that was asked for, by the fingerprint of its material. */
export type PinnedRevisions = ReadonlyMap<string, string>;

export class RevisionFacts {
  readonly #parts: RevisionFactsParts;

  constructor(parts: RevisionFactsParts) {
    this.#parts = parts;
  }

  async of({ key, materials }: PipelineDefinition, pinned: PinnedRevisions = new Map()): Promise<PipelineFacts> {
    const { runs } = this.#parts;
    const last = await runs.last(key);
    const revisions = last ? await runs.revisionsOf([last.id]) : [];
    const latest = await this.#latest(materials, pinned);
    const previous = new Map(revisions.map((revision) => [revision.fingerprint, revision]));
    // One after the other: thousands of queries at once would hold up all others.
    const facts: MaterialFacts[] = [];
    for (const material of materials) {
      if (facts.length > 0) await pause();
      const { fingerprint } = material;
      facts.push(await this.#factsOf(key, material, latest.get(fingerprint), previous.get(fingerprint)));
    }
    return { previous: last && { id: last.id, counter: last.counter, revisions }, materials: facts, latest };
  }

  /** The facts of a material with another choice of its modification. */
  async withLatest(key: string, material: ConfiguredMaterial, facts: MaterialFacts, modification: number): Promise<MaterialFacts> {
    return {
      ...facts,
      latest: modification,
      ...(await this.#ignored(material, { ...facts, latest: modification })),
      hasRunWithLatest: await this.#parts.runs.hasRunWith(key, material.fingerprint, modification),
    };
  }

  async #latest(materials: readonly ConfiguredMaterial[], pinned: PinnedRevisions): Promise<Map<string, Modification>> {
    const latest = await this.#parts.modifications.newest(materials.map(({ fingerprint }) => fingerprint));
    for (const [fingerprint, revision] of pinned) {
      const found = await this.findRevision(fingerprint, revision);
      if (found) latest.set(fingerprint, found);
      else latest.delete(fingerprint);
    }
    return latest;
  }

  async findRevision(fingerprint: string, revision: string): Promise<Modification | undefined> {
    const stored = await this.#parts.materials.find(fingerprint);
    return stored && (await this.#parts.modifications.find(stored.id, revision));
  }

  async #factsOf(
    key: string,
    material: ConfiguredMaterial,
    latest: Modification | undefined,
    previous: RunRevision | undefined,
  ): Promise<MaterialFacts> {
    const { fingerprint, isIgnoredForScheduling } = material;
    const { runs } = this.#parts;
    const known = { latest: latest?.id, previous: previous?.last, newestEver: await runs.newestRunWith(key, fingerprint) };
    return {
      fingerprint,
      ...known,
      ...(await this.#ignored(material, known)),
      isIgnoredForScheduling,
      hasRunWithLatest: latest !== undefined && (await runs.hasRunWith(key, fingerprint, latest.id)),
    };
  }

  /** By the filter of the pipeline: all that is new since the last run, and all that no run had. */
  async #ignored(
    material: ConfiguredMaterial,
    { latest, previous, newestEver }: Pick<MaterialFacts, 'latest' | 'previous' | 'newestEver'>,
  ): Promise<Pick<MaterialFacts, 'isIgnored' | 'isUnseenIgnored'>> {
    const isIgnored = await this.#isIgnored(material, previous, latest);
    return { isIgnored, isUnseenIgnored: newestEver === previous ? isIgnored : await this.#isIgnored(material, newestEver, latest) };
  }

  /** Whether there is something new since a modification, and the filter of the pipeline ignores all files of it. */
  async #isIgnored(material: ConfiguredMaterial, since: number | undefined, until: number | undefined): Promise<boolean> {
    const { filter: patterns, isFilterInverted: isInverted, type, fingerprint } = material;
    if (patterns.length === 0 || since === undefined || until === undefined || since === until) return false;
    const stored = await this.#parts.materials.find(fingerprint);
    const known = new Map((await this.#parts.modifications.byIds([since, until])).map(({ id, ordinal }) => [id, ordinal]));
    const last = known.get(until);
    if (!stored || last === undefined) return false;
    for (let ordinal = known.get(since) ?? 0; ordinal < last; ) {
      const some = await this.#parts.modifications.after(stored.id, ordinal, BATCH);
      if (some.length === 0) return true;
      for (const { id } of some.filter((one) => one.ordinal <= last)) {
        const files = (await this.#parts.modifications.filesOf(id)).map(({ name }) => name);
        if (files.length > 0 && !isIgnored(files, { patterns, isInverted }, type)) return false;
      }
      ordinal = some.at(-1)!.ordinal;
    }
    return true;
  }
}

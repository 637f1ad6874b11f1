// Fan-in: which upstream runs fit together, because all of them come from the same revision of every repository they share.

/** The most runs of an upstream pipeline that are looked at. */
export const FAN_IN_LIMIT = 100;
/** Number of runs that are asked for at once. */
export const FAN_IN_BATCH = 5;

/** A revision of a root: a material that is no stage of another pipeline. */
export interface RootRevision {
  readonly modification: number;
  /** When it was made, in milliseconds. */
  readonly time: number;
}

/** A run of an upstream pipeline. */
export interface UpstreamRun {
  readonly run: number;
  readonly counter: number;
  /** The modification that the passed run of the named stage is, and its locator; null: it has not passed in this run. */
  readonly passed: { readonly modification: number; readonly locator: string } | null;
  /** All it was made from, through its own upstream runs, by fingerprint. It is not used of a run that has not passed. */
  readonly roots: ReadonlyMap<string, readonly RootRevision[]>;
}

export interface FanInDependency {
  readonly fingerprint: string;
  /** The upstream pipeline, and its stage. */
  readonly pipeline: string;
  readonly stage: string;
  /** The fingerprints of all roots below it by the present configuration. */
  readonly roots: ReadonlySet<string>;
}

export interface FanInRoot {
  readonly fingerprint: string;
  /** Null: nothing is known of it yet. */
  readonly latest: RootRevision | null;
}

export interface FanInPipeline {
  readonly pipeline: string;
  readonly dependencies: readonly FanInDependency[];
  readonly roots: readonly FanInRoot[];
}

/** Which upstream runs were made from different revisions of one root. */
export interface Disagreement {
  readonly root: string;
  readonly runs: readonly DisagreeingRun[];
}

export interface DisagreeingRun {
  readonly pipeline: string;
  readonly locator: string;
  readonly modification: number;
}

export type FanInReason =
  /** A root of the pipeline itself has no modification. */
  | { readonly rule: 'no_modifications'; readonly fingerprint: string }
  /** No run of that upstream can be used at all. */
  | { readonly rule: 'none_usable'; readonly pipeline: string; readonly stage: string; readonly why: UnusableReason }
  /** The newest usable runs disagree, and the pipeline has no older run that would agree. */
  | { readonly rule: 'disagreement'; readonly pipeline: string; readonly disagreement: Disagreement }
  | { readonly rule: 'limit'; readonly pipeline: string; readonly limit: number };

/**
 * Why none is usable: there is none, the stage has passed in none, the newest that passed came from other materials than the pipelines
 * have now, or each that passed came from two revisions of one root.
 */
export type UnusableReason = 'no_runs' | 'not_passed' | 'other_materials' | 'inconsistent';

export interface FanInRevision {
  readonly fingerprint: string;
  readonly modification: number;
  /** Of a dependency. */
  readonly run?: UpstreamRun;
}

export type FanInDecision =
  | {
      readonly isCompatible: true;
      /** Dependencies first, then roots, each in the order of the pipeline. */
      readonly revisions: readonly FanInRevision[];
      /** The disagreement of the newest usable runs; null: they agree. Older ones were taken for it. */
      readonly disagreement: Disagreement | null;
    }
  | { readonly isCompatible: false; readonly message: string; readonly reason: FanInReason };

/** Asks for runs of an upstream pipeline, newest first; `from` is how many of them were seen. Fewer than a batch: there are no more. */
export interface CandidateRequest {
  readonly dependency: FanInDependency;
  readonly from: number;
}

type Candidates = readonly UpstreamRun[];
type CandidateSearch<T> = Generator<CandidateRequest, T, Candidates>;

/** `candidates` may answer at once: then nothing waits. */
export async function fanIn(
  of: FanInPipeline,
  candidates: (dependency: FanInDependency, from: number) => Candidates | Promise<Candidates>,
): Promise<FanInDecision> {
  const steps = decideFanIn(of);
  let step = steps.next();
  while (!step.done) {
    const found = candidates(step.value.dependency, step.value.from);
    step = steps.next(found instanceof Promise ? await found : found);
  }
  return step.value;
}

function* decideFanIn({ pipeline, dependencies, roots }: FanInPipeline): CandidateSearch<FanInDecision> {
  const refused = (reason: FanInReason): FanInDecision => ({
    isCompatible: false,
    message: `Error while scheduling pipeline: ${pipeline} as no compatible revisions were identified.`,
    reason,
  });
  const unknown = roots.find(({ latest }) => latest === null);
  if (unknown) return refused({ rule: 'no_modifications', fingerprint: unknown.fingerprint });
  const upstreams = dependencies.map((dependency) => new Upstream(dependency));
  for (const upstream of upstreams) {
    const failure = yield* upstream.back(() => true);
    if (failure === 'limit') return refused({ rule: 'limit', pipeline: upstream.dependency.pipeline, limit: FAN_IN_LIMIT });
    if (failure) {
      const { pipeline: name, stage } = upstream.dependency;
      return refused({ rule: 'none_usable', pipeline: name, stage, why: upstream.unusable });
    }
  }
  const agreed = yield* agree(upstreams);
  return 'rule' in agreed ? refused(agreed) : { isCompatible: true, ...agreed, revisions: chosen(upstreams, roots) };
}

/** Moves upstreams back until all agree. Only roots of the moved upstreams are looked at again. */
function* agree(upstreams: readonly Upstream[]): CandidateSearch<{ readonly disagreement: Disagreement | null } | FanInReason> {
  const users = new Map<string, Upstream[]>();
  for (const upstream of upstreams) for (const root of upstream.dependency.roots) users.getOrInsertComputed(root, () => []).push(upstream);
  const open = new Set([...users].filter(([, using]) => using.length > 1).map(([root]) => root));
  let first: Disagreement | null = null;
  for (const root of open) {
    open.delete(root);
    const using = users.get(root)!;
    if (isAgreed(root, using)) continue;
    first ??= disagreementOn(root, using);
    const before = using.map(({ current }) => current);
    const failure = yield* settle(root, using);
    if (failure) return failure;
    for (const [index, upstream] of using.entries()) {
      if (upstream.current === before[index]) continue;
      // Added while the set is walked, each comes up again.
      for (const touched of upstream.dependency.roots) if (touched !== root && users.get(touched)!.length > 1) open.add(touched);
    }
  }
  return { disagreement: first };
}

/** Moves those that use the root back until all have the same revision of it, the newest that all can have. */
function* settle(root: string, using: readonly Upstream[]): CandidateSearch<FanInReason | null> {
  let last = using.reduce((one, other) => (compare(other.revisionOf(root), one.revisionOf(root)) < 0 ? other : one));
  let bound = last.revisionOf(root);
  const fits = (run: UpstreamRun) => compare(run.roots.get(root)![0]!, bound) <= 0;
  do {
    for (const upstream of using) {
      if (fits(upstream.current)) continue;
      const before = upstream.current;
      const failure = upstream.backInBatch(fits) ? null : yield* upstream.back(fits);
      const { pipeline } = upstream.dependency;
      if (failure === 'limit') return { rule: 'limit', pipeline, limit: FAN_IN_LIMIT };
      if (failure) return { rule: 'disagreement', pipeline, disagreement: between(root, [upstream, before], [last, last.current]) };
      if (upstream.revisionOf(root).modification === bound.modification) continue;
      bound = upstream.revisionOf(root);
      last = upstream;
    }
  } while (!isAgreed(root, using));
  return null;
}

function isAgreed(root: string, using: readonly Upstream[]): boolean {
  const { modification } = using[0]!.revisionOf(root);
  return using.every((upstream) => upstream.revisionOf(root).modification === modification);
}

function disagreementOn(root: string, using: readonly Upstream[]): Disagreement {
  return between(root, ...using.map((upstream) => [upstream, upstream.current] as const));
}

function between(root: string, ...runs: readonly (readonly [Upstream, UpstreamRun])[]): Disagreement {
  const described = runs.map(([{ dependency }, { passed, roots }]) => ({
    pipeline: dependency.pipeline,
    locator: passed!.locator,
    modification: roots.get(root)![0]!.modification,
  }));
  return { root, runs: described };
}

function chosen(upstreams: readonly Upstream[], roots: readonly FanInRoot[]): FanInRevision[] {
  const used = new Map(upstreams.flatMap(({ current }) => [...current.roots].map(([root, [revision]]) => [root, revision!] as const)));
  return [
    ...upstreams.map(({ dependency, current }) => ({
      fingerprint: dependency.fingerprint,
      modification: current.passed!.modification,
      run: current,
    })),
    ...roots.map(({ fingerprint, latest }) => ({ fingerprint, modification: (used.get(fingerprint) ?? latest!).modification })),
  ];
}

/** By date; of the same moment, the one that was found first. */
function compare(one: RootRevision, other: RootRevision): number {
  return one.time - other.time || one.modification - other.modification;
}

/** The runs of one upstream pipeline, newest first, and the one that is chosen at the moment. It only goes back. */
class Upstream {
  readonly dependency: FanInDependency;
  #batch: Candidates = [];
  #nextInBatch = 0;
  #readCount = 0;
  #isEnded = false;
  #current: UpstreamRun | undefined;
  #unusable: UnusableReason = 'no_runs';

  constructor(dependency: FanInDependency) {
    this.dependency = dependency;
  }

  get current(): UpstreamRun {
    return this.#current!;
  }

  /** Why none was found; only then it means something. */
  get unusable(): UnusableReason {
    return this.#unusable;
  }

  revisionOf(root: string): RootRevision {
    return this.current.roots.get(root)![0]!;
  }

  /** To the next older usable run that fits, and is known already; false: it may be among those that are not. */
  backInBatch(fits: (run: UpstreamRun) => boolean): boolean {
    while (this.#nextInBatch < this.#batch.length) {
      const run = this.#batch[this.#nextInBatch++]!;
      if (!this.#isUsable(run)) continue;
      this.#current = run;
      if (fits(run)) return true;
    }
    return false;
  }

  *back(fits: (run: UpstreamRun) => boolean): CandidateSearch<'none' | 'limit' | null> {
    while (!this.backInBatch(fits)) {
      const failure = yield* this.#more();
      if (failure) return failure;
    }
    return null;
  }

  *#more(): CandidateSearch<'none' | 'limit' | null> {
    if (this.#isEnded) return 'none';
    const batch = yield { dependency: this.dependency, from: this.#readCount };
    if (batch.length === 0) return 'none';
    if (this.#readCount >= FAN_IN_LIMIT) return 'limit';
    this.#batch = batch.slice(0, FAN_IN_LIMIT - this.#readCount);
    this.#nextInBatch = 0;
    this.#readCount += this.#batch.length;
    this.#isEnded = batch.length < FAN_IN_BATCH;
    return null;
  }

  #isUsable({ passed, roots }: UpstreamRun): boolean {
    if (!passed) {
      if (this.#unusable === 'no_runs') this.#unusable = 'not_passed';
      return false;
    }
    const { roots: present } = this.dependency;
    let isOfPresent = roots.size === present.size;
    let isConsistent = true;
    for (const [root, revisions] of roots) {
      isOfPresent &&= present.has(root);
      isConsistent &&= revisions.length === 1 || revisions.every(({ modification }) => modification === revisions[0]!.modification);
    }
    if (isOfPresent && isConsistent) return true;
    this.#unusable = isOfPresent ? 'inconsistent' : 'other_materials';
    // Older ones were made by a configuration that is gone.
    if (!isOfPresent) {
      this.#isEnded = true;
      this.#nextInBatch = this.#batch.length;
    }
    return false;
  }
}

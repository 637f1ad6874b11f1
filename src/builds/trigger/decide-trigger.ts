// Whether a pipeline runs now, and on which revisions: a pure decision over the facts of its materials.

/** `auto`: something has changed; `manual`: a user asks; `timer`: it is time. */
export type TriggerKind = 'auto' | 'manual' | 'timer';

/** The facts of one material of the pipeline. Modifications are named by their ids, which grow. */
export interface MaterialFacts {
  readonly fingerprint: string;
  /** The newest, or the one that was asked for; undefined: there is none yet. */
  readonly latest: number | undefined;
  /** The modification of the last run; undefined: it did not have this material. */
  readonly previous: number | undefined;
  /** All that is new in it is ignored by the filter of the pipeline. */
  readonly isIgnored: boolean;
  /** All that is newer than `newestEver` is ignored by the filter: the last run may have been made with an older modification. */
  readonly isUnseenIgnored: boolean;
  /** Runs of the upstream stage alone do not set the pipeline off. */
  readonly isIgnoredForScheduling: boolean;
  /** Some earlier run was made with `latest`. */
  readonly hasRunWithLatest: boolean;
  /** The newest that any run was made with. */
  readonly newestEver: number | undefined;
}

export interface TriggerFacts {
  readonly kind: TriggerKind;
  /** For a timer: whether it needs changes, too. */
  readonly onlyOnChanges: boolean;
  /** The fingerprints of the materials of the last run; undefined: it has never run. */
  readonly previousMaterials: readonly string[] | undefined;
  readonly materials: readonly MaterialFacts[];
}

export type TriggerDecision =
  | { readonly isToRun: true; readonly revisions: readonly ChosenRevision[] }
  | { readonly isToRun: false; readonly rule: 'no_modifications' | 'already_run' | 'ignored'; readonly fingerprints: readonly string[] };

export interface ChosenRevision {
  readonly fingerprint: string;
  readonly modification: number;
  readonly isChanged: boolean;
}

export function decideTrigger({ kind, onlyOnChanges, previousMaterials, materials }: TriggerFacts): TriggerDecision {
  const missing = materials.filter(({ latest }) => latest === undefined);
  if (missing.length > 0) return refused('no_modifications', missing);
  const isForced = kind === 'manual' || (kind === 'timer' && !onlyOnChanges);
  if (isForced || previousMaterials === undefined || !areSame(previousMaterials, materials)) return chosen(materials);
  const changed = materials.filter(({ latest, previous }) => latest !== previous);
  const hasRunBefore = kind !== 'timer' && materials.every(({ hasRunWithLatest }) => hasRunWithLatest);
  if (changed.length === 0 || hasRunBefore) return refused('already_run', materials);
  const counting = changed.filter(({ isIgnored }) => !isIgnored);
  if (counting.length === 0) return refused('ignored', changed);
  if (kind !== 'auto') return chosen(materials);
  const newer = counting.filter(isNewerThanEver);
  if (newer.length === 0) return refused('already_run', materials);
  const unseen = newer.filter(({ isUnseenIgnored }) => !isUnseenIgnored);
  if (unseen.length === 0) return refused('ignored', newer);
  if (unseen.every(({ isIgnoredForScheduling }) => isIgnoredForScheduling)) return refused('ignored', unseen);
  return chosen(materials);
}

function areSame(fingerprints: readonly string[], materials: readonly MaterialFacts[]): boolean {
  const now = new Set(materials.map(({ fingerprint }) => fingerprint));
  const before = new Set(fingerprints);
  return now.size === before.size && [...now].every((fingerprint) => before.has(fingerprint));
}

function chosen(materials: readonly MaterialFacts[]): TriggerDecision {
  const revisions = materials.map((material) => ({
    fingerprint: material.fingerprint,
    modification: material.latest!,
    isChanged: isNewerThanEver(material),
  }));
  return { isToRun: true, revisions };
}

/** The last run may have been made with an older one than the runs before it. */
function isNewerThanEver({ latest, newestEver }: MaterialFacts): boolean {
  return newestEver === undefined || latest! > newestEver;
}

function refused(rule: 'no_modifications' | 'already_run' | 'ignored', materials: readonly MaterialFacts[]): TriggerDecision {
  return { isToRun: false, rule, fingerprints: materials.map(({ fingerprint }) => fingerprint) };
}

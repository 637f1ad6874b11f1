// Whether the artifacts of a stage run may be deleted at all.

export interface StageFacts {
  /** null: it is under way. */
  readonly completedAt: number | null;
}

/** The stage as it is configured now; undefined: it is not, or its pipeline is gone. */
export interface StageNow {
  readonly neverCleanupArtifacts: boolean;
}

export function isPurgeable({ completedAt }: StageFacts, now: StageNow | undefined): boolean {
  return completedAt !== null && !(now?.neverCleanupArtifacts ?? false);
}

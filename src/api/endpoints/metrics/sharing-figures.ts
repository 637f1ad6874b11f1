// What a server can tell of how it shares its database.

export interface SharingFigures {
  /** So many writes are known to be made, and are not in memory here yet. */
  readonly lag: number;
  readonly orderWaits: number;
  readonly orderWaitSeconds: number;
  readonly isKeeper: boolean;
  /** How often it has begun or ended to do the background work. */
  readonly keeperChanges: number;
}

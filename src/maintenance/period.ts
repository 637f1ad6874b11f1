// One period of maintenance: the user who switched it on, the reason, the start and the end.

export interface Order {
  readonly by: string;
  readonly reason: string | null;
  /** The time after which it ends by itself. */
  readonly until: string | null;
  /** Whether a server that starts anew goes on with it. */
  readonly survivesRestart: boolean;
}

export interface Period extends Order {
  readonly since: string;
}

const DEFAULT_RETRY_SECONDS = 60;

export function endOf({ until }: Order): number | undefined {
  return until === null ? undefined : Date.parse(until);
}

export function isOver(period: Order, now: number): boolean {
  const end = endOf(period);
  return end !== undefined && end <= now;
}

/** After how many seconds trying again makes sense. */
export function retryAfter(period: Order, now: number): number {
  const end = endOf(period);
  return end === undefined ? DEFAULT_RETRY_SECONDS : Math.max(1, Math.ceil((end - now) / 1000));
}

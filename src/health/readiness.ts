// Whether the server is ready for requests: not while it starts or stops, nor in maintenance mode.

/** Why a server that is alive is not ready, and after how many seconds to look again. */
export interface NotReady {
  readonly reason: string;
  readonly retryAfter: number;
}

type Phase = 'starting' | 'running' | 'stopping';

const SOON_SECONDS = 1;
const LATER_SECONDS = 10;
const BY_PHASE: Readonly<Record<Phase, NotReady | undefined>> = {
  starting: { reason: 'The server is starting.', retryAfter: SOON_SECONDS },
  running: undefined,
  stopping: { reason: 'The server is stopping.', retryAfter: LATER_SECONDS },
};

export class Readiness {
  phase: Phase = 'starting';
  readonly #obstacle: () => NotReady | undefined;

  /** `hindrance`: another reason why a running server is not ready. */
  constructor(obstacle: () => NotReady | undefined) {
    this.#obstacle = obstacle;
  }

  get obstacle(): NotReady | undefined {
    return BY_PHASE[this.phase] ?? this.#obstacle();
  }
}

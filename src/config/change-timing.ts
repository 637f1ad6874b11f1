// How long a change waits for its turn, is decided and is committed: for the request, or the work in the background, that makes it.
import { currentScope, type Scope } from '../kit/telemetry/scope.ts';

export class ChangeTiming {
  readonly #scope: Scope;
  #since = performance.now();

  private constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Undefined: the caller is not timed. To be called before the change waits: it may be decided in the turn of another one. */
  static begin(): ChangeTiming | undefined {
    const scope = currentScope();
    return scope?.isTimed ? new ChangeTiming(scope) : undefined;
  }

  /** Records the time since the last lap under this step. */
  lap(step: 'wait' | 'decide' | 'commit'): void {
    const now = performance.now();
    this.#scope.note(step, this.#since, now);
    this.#since = now;
  }
}

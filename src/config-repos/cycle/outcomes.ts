// Reports the problems of config repos, and retries the repos that the rest of the configuration did not allow.
import type { HealthReports } from '../../kit/health-reports.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import type { RepoCycle } from './repo-cycle.ts';

/** Users often save several changes in a row. */
const RETRY_AFTER_MS = 500;

export class Outcomes {
  readonly #health: HealthReports;
  readonly #tryAgain: (cycle: RepoCycle) => void;
  readonly #refused = new Set<RepoCycle>();
  #timer: NodeJS.Timeout | undefined;

  constructor(health: HealthReports, tryAgain: (cycle: RepoCycle) => void) {
    this.#health = health;
    this.#tryAgain = tryAgain;
  }

  /** To be called when a state has changed, or a repo is gone. */
  note(cycle: RepoCycle): void {
    const { id, known, state } = cycle;
    const about = aboutRepo(id);
    if (known?.outcome === 'refused' && !state.isGone) this.#refused.add(cycle);
    else this.#refused.delete(cycle);
    if (!known || known.message === '' || state.isGone) this.#health.clear(about);
    else this.#health.raise(about, known.outcome === 'published' ? 'WARNING' : 'ERROR', known.message, known.detail);
  }

  /** The states of the repos that the rest of the configuration did not allow. */
  get refused(): readonly RepoState[] {
    return [...this.#refused].flatMap(({ known }) => known ?? []);
  }

  /** To be called when the configuration has changed. */
  configurationChanged(): void {
    if (this.#refused.size > 0) this.#timer ??= setTimeout(() => this.#retry(), RETRY_AFTER_MS).unref();
  }

  /** The server that updates the repos from now on reports their problems. */
  close(cycles: Iterable<RepoCycle>): void {
    clearTimeout(this.#timer);
    this.#refused.clear();
    for (const { id } of cycles) this.#health.clear(aboutRepo(id));
  }

  #retry(): void {
    this.#timer = undefined;
    for (const cycle of this.#refused) this.#tryAgain(cycle);
  }
}

function aboutRepo(id: string): string {
  return `config repo ${id}`;
}

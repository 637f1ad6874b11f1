// The problems that the server found in the last request, as long as the values in question are unchanged.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ApiFailure } from '../../api/failure.ts';
import type { Path } from './lens.ts';
import { allProblems, isChangedAt, type Problem } from './problems.ts';

const NONE: readonly Problem[] = [];

export class ServerProblems {
  readonly #edited: ReadonlySignal<unknown>;
  readonly #found = signal<{ readonly problems: readonly Problem[]; readonly sent: unknown } | undefined>(undefined);
  /** A problem goes away when the user changes the value that it is about. */
  readonly all: ReadonlySignal<readonly Problem[]> = computed(() => {
    if (this.#found.value === undefined) return NONE;
    const { problems, sent } = this.#found.value;
    return problems.filter((problem) => !isChangedAt(problem, sent, this.#edited.value));
  });

  constructor(edited: ReadonlySignal<unknown>) {
    this.#edited = edited;
  }

  /** `mapPath` maps a path in the sent body to a path in the edited value, where they differ. */
  take({ data, message }: Pick<ApiFailure, 'data' | 'message'>, mapPath: (path: Path) => Path = (path) => path): void {
    const problems = allProblems(data).map(({ path, messages }) => ({ path: mapPath(path), messages }));
    this.#found.value = { problems: problems.length === 0 ? [{ path: [''], messages: [message] }] : problems, sent: this.#edited.peek() };
  }

  clear(): void {
    this.#found.value = undefined;
  }
}

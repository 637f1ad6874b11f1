// What the server found wrong with what was sent last, as long as that is what is edited.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ApiFailure } from '../../api/failure.ts';
import type { Path } from './part.ts';
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

  /** `placeOf` tells where in what is edited something stands that was sent, where that is another place. */
  take({ data, message }: Pick<ApiFailure, 'data' | 'message'>, placeOf: (path: Path) => Path = (path) => path): void {
    const problems = allProblems(data).map(({ path, messages }) => ({ path: placeOf(path), messages }));
    this.#found.value = { problems: problems.length === 0 ? [{ path: [''], messages: [message] }] : problems, sent: this.#edited.peek() };
  }

  clear(): void {
    this.#found.value = undefined;
  }
}

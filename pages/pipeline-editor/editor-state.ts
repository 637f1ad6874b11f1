// The edited pipeline or template, its chosen part, and the problems that the server found.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Lens, lensOf, type Path, valueAt } from '../forms/edit/lens.ts';
import { hasProblemsIn } from '../forms/edit/problems.ts';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import { GENERAL, parentPartKey, partKeyAfterMove, partKeyOf, pathOf } from './part-key.ts';

/** The members that the tree needs, for a pipeline or a template. */
export type Chooser = Pick<EditorState<unknown>, 'partKey' | 'choose' | 'keepChosen' | 'leave' | 'hasProblems'>;

export class EditorState<T> {
  readonly #saved: Signal<T>;
  readonly body: Signal<T>;
  readonly lens: Lens<T>;
  readonly problems: ServerProblems;
  readonly isChanged: ReadonlySignal<boolean>;
  readonly #partKey: Signal<string>;
  readonly #onPartKey: (partKey: string) => void;

  /** `onPartKey` is called with every choice, to keep it in the address. */
  constructor(body: T, partKey: string, onPartKey: (partKey: string) => void) {
    this.#saved = signal(body);
    this.body = signal(body);
    this.lens = lensOf(this.body);
    this.problems = new ServerProblems(this.body);
    this.isChanged = computed(() => this.body.value !== this.#saved.value);
    this.#partKey = signal(partKey);
    this.#onPartKey = onPartKey;
  }

  /** The server has saved the edited body. */
  markSaved(): void {
    this.#saved.value = this.body.peek();
  }

  /** The chosen part; when it is removed, the part around it. */
  get partKey(): string {
    return this.#partKey.value;
  }

  choose(path: Path | typeof GENERAL): void {
    const partKey = path === GENERAL ? GENERAL : partKeyOf(path);
    if (partKey === this.#partKey.peek()) return;
    this.#partKey.value = partKey;
    this.#onPartKey(partKey);
  }

  /** The chosen part stays chosen when a list is reordered. */
  readonly keepChosen = (list: Path, from: number, to: number): void => {
    const partKey = partKeyAfterMove(this.#partKey.peek(), list, from, to);
    this.choose(partKey === GENERAL ? GENERAL : pathOf(partKey));
  };

  /** The chosen part is removed: the part around it is chosen instead. */
  leave(path: Path): void {
    const around = parentPartKey(partKeyOf(path));
    this.choose(around === GENERAL ? GENERAL : pathOf(around));
  }

  has(path: Path): boolean {
    return valueAt(this.body.value, path) !== undefined;
  }

  hasProblems(path: Path): boolean {
    return hasProblemsIn(this.problems.all.value, path);
  }
}

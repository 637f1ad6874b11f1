// The edited pipeline or template, its chosen part, and the problems that the server found.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Lens, lensOf, type Path, valueAt } from '../forms/edit/lens.ts';
import { hasProblemsIn } from '../forms/edit/problems.ts';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import { GENERAL, pathOf, placeAfterMove, placeAround, placeOf } from './place.ts';

/** The members that the tree needs, for a pipeline or a template. */
export type Chooser = Pick<EditorState<unknown>, 'place' | 'choose' | 'keepChosen' | 'leave' | 'hasProblems'>;

export class EditorState<T> {
  readonly #saved: Signal<T>;
  readonly body: Signal<T>;
  readonly lens: Lens<T>;
  readonly problems: ServerProblems;
  readonly isChanged: ReadonlySignal<boolean>;
  readonly #place: Signal<string>;
  readonly #onPlace: (place: string) => void;

  /** `onPlace` is told of every choice, to keep it in the address. */
  constructor(body: T, place: string, onPlace: (place: string) => void) {
    this.#saved = signal(body);
    this.body = signal(body);
    this.lens = lensOf(this.body);
    this.problems = new ServerProblems(this.body);
    this.isChanged = computed(() => this.body.value !== this.#saved.value);
    this.#place = signal(place);
    this.#onPlace = onPlace;
  }

  /** The server has saved the edited body. */
  markSaved(): void {
    this.#saved.value = this.body.peek();
  }

  /** The chosen part; when it is removed, the part around it. */
  get place(): string {
    return this.#place.value;
  }

  choose(path: Path | typeof GENERAL): void {
    const place = path === GENERAL ? GENERAL : placeOf(path);
    if (place === this.#place.peek()) return;
    this.#place.value = place;
    this.#onPlace(place);
  }

  /** The chosen part stays chosen when a list is reordered. */
  readonly keepChosen = (list: Path, from: number, to: number): void => {
    const place = placeAfterMove(this.#place.peek(), list, from, to);
    this.choose(place === GENERAL ? GENERAL : pathOf(place));
  };

  /** The chosen part is removed: the part around it is chosen instead. */
  leave(path: Path): void {
    const around = placeAround(placeOf(path));
    this.choose(around === GENERAL ? GENERAL : pathOf(around));
  }

  has(path: Path): boolean {
    return valueAt(this.body.value, path) !== undefined;
  }

  hasProblems(path: Path): boolean {
    return hasProblemsIn(this.problems.all.value, path);
  }
}

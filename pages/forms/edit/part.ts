// A part of the edited value: read as a signal, changed without touching its neighbours.
import { computed, type ReadonlySignal, type Signal } from '@preact/signals';

export type Path = readonly (string | number)[];

export interface Part<T> {
  /** From the whole to it. */
  readonly path: Path;
  readonly now: ReadonlySignal<T>;
  readonly set: (next: T) => void;
}

/** Only objects on the path to a part are copied, so components that draw other parts are not drawn again. */
export function whole<T>(body: Signal<T>): Part<T> {
  return {
    path: [],
    now: body,
    set: (next) => {
      body.value = next;
    },
  };
}

export function member<T extends object, K extends keyof T & string>(part: Part<T>, name: K): Part<T[K]> {
  return {
    path: [...part.path, name],
    now: computed(() => part.now.value[name]),
    set: (next) => part.set({ ...part.now.peek(), [name]: next }),
  };
}

/** Of one that is removed, the last that was known: it is drawn once more before it goes. */
export function item<T>(list: Part<readonly T[]>, index: number): Part<T> {
  let last = list.now.peek()[index]!;
  const now = computed(() => {
    const items = list.now.value;
    if (index < items.length) last = items[index]!;
    return last;
  });
  return {
    path: [...list.path, index],
    now,
    set: (next) => {
      if (index < list.now.peek().length) list.set(list.now.peek().with(index, next));
    },
  };
}

/** The length: components that only count the items are not drawn again when one of them changes. */
export function lengthOf<T>(list: Part<readonly T[]>): ReadonlySignal<number> {
  return computed(() => list.now.value.length);
}

export function add<T>(list: Part<readonly T[]>, added: T): void {
  list.set([...list.now.peek(), added]);
}

export function indices(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function remove<T>(list: Part<readonly T[]>, index: number): void {
  list.set(list.now.peek().toSpliced(index, 1));
}

/** To another place of the same list; over its ends nothing goes. */
export function move<T>(list: Part<readonly T[]>, from: number, to: number): void {
  const items = list.now.peek();
  const moved = items[from];
  if (moved === undefined || to < 0 || to >= items.length || from === to) return;
  list.set(items.toSpliced(from, 1).toSpliced(to, 0, moved));
}

/** The value at a path, or undefined where there is none (any more). */
export function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<string | number, unknown>>)[step] : undefined,
    whole,
  );
}

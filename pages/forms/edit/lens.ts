// A lens reads and writes one part of the edited value, such as a field or an item of a list, and leaves the rest as it is.
import { computed, type ReadonlySignal, type Signal } from '@preact/signals';

export type Path = readonly (string | number)[];

export interface Lens<T> {
  /** From the edited value to the part. */
  readonly path: Path;
  readonly now: ReadonlySignal<T>;
  readonly set: (next: T) => void;
}

/** The lens on the whole value. Writes copy only the objects on the path to a part, so components that show other parts are not drawn again. */
export function lensOf<T>(body: Signal<T>): Lens<T> {
  return {
    path: [],
    now: body,
    set: (next) => {
      body.value = next;
    },
  };
}

/** The lens on a member of an object. */
export function member<T extends object, K extends keyof T & string>(lens: Lens<T>, name: K): Lens<T[K]> {
  return {
    path: [...lens.path, name],
    now: computed(() => lens.now.value[name]),
    set: (next) => lens.set({ ...lens.now.peek(), [name]: next }),
  };
}

/** Of an item that was removed, the lens shows the last value: its component is drawn once more before it goes. */
export function item<T>(list: Lens<readonly T[]>, index: number): Lens<T> {
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
export function lengthOf<T>(list: Lens<readonly T[]>): ReadonlySignal<number> {
  return computed(() => list.now.value.length);
}

export function add<T>(list: Lens<readonly T[]>, added: T): void {
  list.set([...list.now.peek(), added]);
}

export function indices(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function remove<T>(list: Lens<readonly T[]>, index: number): void {
  list.set(list.now.peek().toSpliced(index, 1));
}

/** Moves an item within its list; does nothing where the new place is outside of the list. */
export function move<T>(list: Lens<readonly T[]>, from: number, to: number): void {
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

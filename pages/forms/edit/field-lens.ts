// The lens of an input field.
import type { ReadonlySignal } from '@preact/signals';
import type { Path } from './lens.ts';

/** Writes a `T`; reads may also give null or undefined. */
export interface FieldLens<T> {
  readonly path: Path;
  readonly now: ReadonlySignal<T | null | undefined>;
  readonly set: (next: T) => void;
}

// The part of the edited value that a field changes.
import type { ReadonlySignal } from '@preact/signals';
import type { Path } from './part.ts';

/** A part that takes a `T`; it may hold null or undefined. */
export interface FieldPart<T> {
  readonly path: Path;
  readonly now: ReadonlySignal<T | null | undefined>;
  readonly set: (next: T) => void;
}

// What a field edits.
import type { ReadonlySignal } from '@preact/signals';
import type { Path } from './part.ts';

/** A part that takes a `T`, whatever else it may hold. */
export interface FieldPart<T> {
  readonly path: Path;
  readonly now: ReadonlySignal<T | null | undefined>;
  readonly set: (next: T) => void;
}

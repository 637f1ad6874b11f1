// A part that may not be there.
import { computed } from '@preact/signals';
import type { Part } from './part.ts';

/** The part while it is there; `standIn` is shown for the moment in which it goes. */
export function present<T>(part: Part<T | null>, standIn: T): Part<T> {
  return { path: part.path, now: computed(() => part.now.value ?? standIn), set: part.set };
}

// A lens on a part that may be null.
import { computed } from '@preact/signals';
import type { Lens } from './lens.ts';

/** Reads the default where the part is null: its component is drawn once more before it goes. */
export function withDefault<T>(lens: Lens<T | null>, defaultValue: T): Lens<T> {
  return { path: lens.path, now: computed(() => lens.now.value ?? defaultValue), set: lens.set };
}

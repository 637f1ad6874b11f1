// Three states of one entity: the base of the sender, the version in the file, and the current one.

/** An entity by its tag; undefined: there is none. */
export type State = string | undefined;

/** `keep`: as it is now. `take`: as the sender wants it. `collide`: both have changed it, each to something else. */
export type MergeResult = 'keep' | 'take' | 'collide';

export function merge(base: State, wanted: State, now: State): MergeResult {
  if (wanted === base || wanted === now) return 'keep';
  return now === base ? 'take' : 'collide';
}

// Members of edited values that bring back what the user changed. They move and go with their value, and are symbols, which JSON leaves out: they are neither sent nor kept in drafts.

/** What was entered for other choices, such as another type of task. */
export const EARLIER = Symbol('entered for other choices');

/** The cipher text of a secret that the user replaces. */
export const STORED = Symbol('stored secret');

/** `T`: what is kept for each choice. */
export interface KeepsEarlier<T> {
  readonly [EARLIER]?: Readonly<Record<string, T>> | undefined;
}

export interface KeepsStored {
  readonly [STORED]?: string | undefined;
}

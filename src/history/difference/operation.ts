// The effect of a change on a field.

/** `move`: the same members in another order. */
export type Operation = 'add' | 'remove' | 'replace' | 'move';

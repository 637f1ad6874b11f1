// The kinds of configuration as types: their names, and the type of the entities of each.

/** The names of all kinds, listed by the registry: what a resource says of other kinds must be typed before the registry is. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface KindNames {}

/** Filled by the registry (`resources/index.ts`), so that a wrong name or field does not compile anywhere below it. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface ConfigurationKinds {}

export type KindName = keyof KindNames & string;
export type EntityNamed<K extends KindName> = ConfigurationKinds[K & keyof ConfigurationKinds];

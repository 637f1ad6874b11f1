// The kinds of configuration as types: their names, and the type of the entities of each.

/** The names of all kinds, listed by the registry: what a resource says of other kinds must be typed before the registry is. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface KindNames {}

/** Filled by the registry (`resources/index.ts`), so that a wrong name or field does not compile anywhere below it. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface ConfigurationKinds {}

export type KindName = keyof KindNames & string;
/** An entity of whatever kind. */
export type Entity = Readonly<Record<string, unknown>>;
/** An entity of this kind. For code that handles all kinds alike, which knows the name only as `KindName`, it is any entity. */
export type EntityNamed<K extends KindName> = KindName extends K ? Entity : ConfigurationKinds[K & keyof ConfigurationKinds];

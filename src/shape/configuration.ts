// The kinds of configuration as types: which names there are, and what an entity of each is like.

/** Filled by the registry (`resources/index.ts`), so that a wrong name or field does not compile anywhere below it. */
// biome-ignore lint/suspicious/noEmptyInterface: the registry adds its members
export interface ConfigurationKinds {}

export type KindName = keyof ConfigurationKinds & string;
export type EntityNamed<K extends KindName> = ConfigurationKinds[K];

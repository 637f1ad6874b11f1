// The rules of every resource see only what the registry has: kinds and fields that exist, with their types. `tsc` checks it.
import type { registry } from '../../src/resources/index.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import type { DeclaredView, ViewOf } from '../../src/shape/resource.ts';

type Kinds = typeof registry;
/** The kinds whose rules see something that is not there. */
type Unproven = { [K in keyof Kinds]: ViewOf<Kinds> extends DeclaredView<Kinds[K]> ? never : K }[keyof Kinds];

/** The names that rules may use are those of the registry. Tests add some for resources of their own. */
type MadeUp = 'boxes' | 'shelves';
type Misnamed = Exclude<KindName, keyof Kinds | MadeUp> | Exclude<keyof Kinds, KindName>;

export const isNamed: [Misnamed] extends [never] ? true : Misnamed = true;
export const isProven: [Unproven] extends [never] ? true : Unproven = true;

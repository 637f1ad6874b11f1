// The answers of the API, by types generated from its description. A page that reads a member that does not exist does not compile.
import type { AnswerOf, OperationName } from '../../client/index.ts';

export type { AnswerOf } from '../../client/index.ts';

/** Without the links, which are for programs that know no addresses. */
export type WithoutLinks<T> = Omit<T, '_links'>;

type Embedded<N extends OperationName> = AnswerOf<N> extends { readonly _embedded: infer E } ? E : never;
/** A member of a list. */
export type ListItem<N extends OperationName, K extends keyof Embedded<N>> = Embedded<N>[K] extends readonly (infer T)[]
  ? WithoutLinks<T>
  : never;

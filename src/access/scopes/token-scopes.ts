// The scopes of one access token, asked at every request that comes with it.
import { covers, isOf, type NeededScope, parseScope, type Scope, type ScopeAction } from './scope.ts';

const EVERYTHING: NeededScope = { resource: '*', action: 'administer', name: '*' };
/** A list of thousands asks about each of its members, again and again. */
const MAX_REMEMBERED = 20_000;

export class TokenScopes {
  /** Tokens of a user with the same scopes see the same. */
  readonly key: string;
  /** The scopes take nothing away. */
  readonly isEverything: boolean;
  readonly #scopes: readonly Scope[];
  readonly #known = new Map<string, boolean>();

  constructor(texts: readonly string[]) {
    this.#scopes = texts.flatMap((text) => parseScope(text) ?? []);
    this.key = JSON.stringify(texts.toSorted());
    this.isEverything = this.#scopes.some((scope) => covers(scope, EVERYTHING));
  }

  covers({ resource, action, name }: NeededScope): boolean {
    const key = `${resource}:${action}:${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    const isAllowed = this.#scopes.some((scope) => covers(scope, { resource, action, name }));
    this.#known.set(key, isAllowed);
    return isAllowed;
  }

  /** A scope on a group is one on its pipelines, too. */
  coversPipeline(action: ScopeAction, name: string, group: string): boolean {
    return this.covers({ resource: 'pipelines', action, name }) || this.covers({ resource: 'pipeline_groups', action, name: group });
  }

  /** Whether they allow this action on anything of a kind. */
  concern(resource: string, action: ScopeAction): boolean {
    return this.#scopes.some((scope) => isOf(scope, resource, action));
  }
}

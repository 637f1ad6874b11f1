// The uses of an access token, as the smallest scopes that would have been enough. Updated at every request.
import { ALL, covers, parseScope, type ScopeAction, scopeText } from './scope.ts';

/** Beyond so many names of one resource and action, all of them are meant. */
const MAX_NAMES = 50;

/** A resource and an action. The same object for all requests that need the same. */
export interface UsedFor {
  readonly resource: string;
  readonly action: ScopeAction;
}

export class TokenUse {
  readonly #names = new Map<UsedFor, Set<string>>();
  /** How many things were noted, and how many of them are written down. */
  #noted = 0;
  #written = 0;

  get noted(): number {
    return this.#noted;
  }

  get isNew(): boolean {
    return this.#noted > this.#written;
  }

  /** All up to this one are on disk. */
  markWritten(noted: number): void {
    this.#written = noted;
  }

  note(use: UsedFor, name: string): void {
    const names = this.#names.get(use);
    if (names?.has(name) || names?.has(ALL)) return;
    this.#noted++;
    if (names) names.add(name);
    else this.#names.set(use, new Set([name]));
    if (name === ALL || (names?.size ?? 0) > MAX_NAMES) this.#names.set(use, new Set([ALL]));
  }

  /** The scopes noted here, joined with those stored before. */
  joined(before: readonly string[]): string[] {
    const noted = [...this.#names].flatMap(([{ resource, action }, names]) =>
      Array.from(names, (name) => scopeText({ resource, action, name })),
    );
    return generalised([...before, ...noted]);
  }
}

/** Each once, and all names for those of which there are too many. */
export function generalised(texts: readonly string[]): string[] {
  const known = [...new Set(texts)].flatMap((text) => parseScope(text) ?? []);
  const groups = Map.groupBy(known, ({ resource, action }) => `${resource}:${action}`);
  return [...groups]
    .flatMap(([start, scopes]) => {
      const isAll = scopes.length > MAX_NAMES || scopes.some(({ pattern }) => pattern === ALL);
      return isAll ? [`${start}:${ALL}`] : scopes.map(({ pattern }) => `${start}:${pattern}`);
    })
    .toSorted();
}

/** The smallest set of scopes that covers these: without those that another one includes. */
export function smallestScopes(texts: readonly string[]): string[] {
  return texts.filter((text, index) => {
    const { resource, action, pattern: name } = parseScope(text)!;
    return !texts.some((other, at) => {
      if (at === index || !covers(parseScope(other)!, { resource, action, name })) return false;
      // Of two that include each other the first one stays.
      return at < index || !covers(parseScope(text)!, needOf(other));
    });
  });
}

function needOf(text: string) {
  const { resource, action, pattern: name } = parseScope(text)!;
  return { resource, action, name };
}

// Whether a list of an entity names a user, in any letter case. Long lists are indexed: all of very many users may be asked about.

const SHORT = 20;
/** Entities never change, so neither do their lists. */
const indexes = new WeakMap<readonly string[], ReadonlySet<string>>();

/** `key`: the login name in lower case. */
export function isListed(users: readonly string[], key: string): boolean {
  if (users.length <= SHORT) return users.some((user) => user.toLowerCase() === key);
  return indexes.getOrInsertComputed(users, () => new Set(users.map((user) => user.toLowerCase()))).has(key);
}

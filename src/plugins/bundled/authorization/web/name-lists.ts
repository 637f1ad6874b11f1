// Lists of names in settings, and whether a user is on them.

/** Separated by commas or line breaks; in lower case, because groups and users are compared so. */
export function namesIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(/[,\n]/)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

export function linesIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function hasCommon(some: readonly string[], others: readonly string[]): boolean {
  const lower = new Set(others.map((name) => name.toLowerCase()));
  return some.some((name) => lower.has(name.toLowerCase()));
}

/** An empty list lets all users in. */
export function isAnyAllowed(allowed: readonly string[], groups: readonly string[]): boolean {
  return allowed.length === 0 || hasCommon(allowed, groups);
}
